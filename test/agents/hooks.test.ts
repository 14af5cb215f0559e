import {execFileSync} from 'node:child_process';
import {mkdir, mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {claudeHooks} from '../../source/agents/claude/argv.ts';
import {codexHooks} from '../../source/agents/codex/argv.ts';
import {runPath} from '../../source/runs/layout.ts';

/** Creates a run directory with a name that a shell would take apart. */
const createRunDir = async () => {
	const root = await mkdtemp(join(tmpdir(), "hive hooks'$(x)-"));
	onTestFinished(() => rm(root, {recursive: true, force: true}));
	await mkdir(runPath(root, 'spool'), {recursive: true});
	return root;
};

const asked = (runDir: string) => readFile(runPath(runDir, 'asked'), 'utf8');

it('the hooks of Claude Code grow the file of the holder by a byte each', async () => {
	const runDir = await createRunDir();
	const [flag, settings = ''] = claudeHooks({runDir});
	expect(flag).toBe('--settings');
	const {hooks} = JSON.parse(settings);
	expect(Object.keys(hooks)).toEqual(['Notification', 'PermissionRequest']);
	for (const [{hooks: found}] of Object.values<[{hooks: {command: string}[]}]>(hooks))
		for (const {command} of found) execFileSync('sh', ['-c', command], {input: '{"message": "Your turn"}'});
	expect(await asked(runDir)).toBe('..');
});

it('the notifier of Codex grows it too, whatever Codex passes to it', async () => {
	const runDir = await createRunDir();
	const [flag, setting = ''] = codexHooks({runDir});
	expect(flag).toBe('-c');
	const [program, ...args]: [string, ...string[]] = JSON.parse(setting.replace(/^notify=/, ''));
	execFileSync(program, [...args, '{"type": "agent-turn-complete", "x": "$(touch evil)"}'], {cwd: runDir});
	expect(await asked(runDir)).toBe('.');
});

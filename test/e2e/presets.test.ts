import {appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {canContain} from '../contain/namespaces.ts';
import {linesOf, openColony} from '../helpers/colony-on-disk.ts';
import {createRepository} from '../helpers/repository.ts';

const presets = join(import.meta.dirname, '../../fixtures/agents/presets/bin');

/** A repository after `hive init`, on a machine with this tool. */
const colonyWith = async (tool: string) => {
	const home = await mkdtemp(join(tmpdir(), 'hive-preset-'));
	onTestFinished(() => rm(home, {recursive: true, force: true, maxRetries: 5}));
	await mkdir(join(home, 'bin'));
	await symlink(join(presets, tool), join(home, 'bin', tool));
	const repository = await createRepository({'readme.md': 'Something.\n'});
	const colony = openColony(repository, home, {PATH: `${home}/bin:${process.env.PATH}`});
	const made = await colony.ask(['init', '--agent', tool]);
	await writeFile(join(home, 'argv.ndjson'), '');
	await appendFile(join(repository.root, '.hive/colony.yaml'), 'contain: {write: [~/argv.ndjson]}\n');
	await repository.commit('hive init');
	return {colony, made};
};

/** Final text of each recording. */
const lastWords = 'All done: the notes are read and the greeting is written.';

const claude = ['-p', '--output-format', 'stream-json', '--verbose', '--permission-mode'];
const allowed = ['--allowedTools', 'Bash,Read,Glob,Grep,mcp__hive'];
const serverOfClaude = ['--mcp-config', '<server of hive>'];
const codex = ['exec', '--json', '-c', 'allow_login_shell=false', '-c', 'tools.update_plan.enabled=true'];
const serverOfCodex = [
	'command',
	'args',
	'env',
	'env_vars',
	'tool_timeout_sec',
	'default_tools_approval_mode',
];

const argvs = {
	claude: role =>
		role === 'builder'
			? [
					...[...claude, 'acceptEdits'],
					...['--allowedTools', 'Read,Glob,Grep,Bash,mcp__hive', '--settings', '<rules that ask>'],
					...[...serverOfClaude, '--permission-prompt-tool', 'mcp__hive__ask_permission'],
				]
			: [
					...[...claude, 'dontAsk', ...allowed],
					...['--disallowedTools', 'Edit,Write,NotebookEdit', ...serverOfClaude],
				],
	codex: () => [
		...[...codex, ...serverOfCodex.flatMap(key => ['-c', `mcp_servers.hive.${key}=<value>`])],
		// Hive's containment takes the place of its own sandbox.
		...['--sandbox', canContain.can ? 'danger-full-access' : 'workspace-write'],
		...['--add-dir', '<run>/sandbox/spool', '-'],
	],
	gemini: () => [
		...['-o', 'stream-json', '--approval-mode', 'yolo', '--skip-trust'],
		...['--include-directories', '<run>/sandbox/spool'],
	],
	opencode: () => ['run', '--format', 'json', '--auto'],
	pi: () => ['-p', '--mode', 'json', '<prompt>'],
} as const satisfies Record<string, (role: string) => string[]>;

/** The arguments of an agent tool, without long settings, and without paths and ids of its run. */
const withoutValues = (argv: readonly string[]): string[] =>
	argv.map(argument =>
		argument
			.replace(/^\{"mcpServers":\{"hive":.*$/s, '<server of hive>')
			.replace(/^\{"permissions":\{"ask":\["Bash\(git push:\*\)".*$/s, '<rules that ask>')
			.replace(/^(mcp_servers\.hive\.\w+=).*$/s, '$1<value>'),
	);

describe('a new colony for the agent tool', () => {
	it.each(Object.entries(argvs))('%s brings a feature to a proposal', async (tool, argvOf) => {
		const {colony, made} = await colonyWith(tool);
		expect(made).toMatchObject({agent: tool, agentTools: expect.arrayContaining([tool])});
		const {findings} = await colony.ask<{findings: {rule: string; level: string}[]}>(['doctor']);
		const isNoted = ({rule, level}: {rule: string; level: string}) =>
			level !== 'advisory' && (canContain.can || rule !== 'contain-auto');
		expect(findings.filter(isNoted)).toEqual([]);
		await colony.ask(['cue', 'run', 'feature', 'Say hello', '--trace', 't']);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);

		const noted = linesOf(await readFile(join(colony.home, 'argv.ndjson'), 'utf8'))
			.map(line => line.replaceAll(/"[^"]*\/runs\/t\/\w+/g, '"<run>'))
			.map(line => JSON.parse(line))
			.map(({argv, ...rest}) => ({...rest, argv: withoutValues(argv)}));
		expect(noted).toEqual(['scout', 'builder', 'guard'].map(role => ({role, tool, argv: argvOf(role)})));
		expect(await colony.ask(['task', 'list', '--trace', 't'])).toMatchObject({
			tasks: [
				{
					taskId: 'greet',
					status: 'completed',
					summary: lastWords,
					proposalWorkspace: 'isolated',
				},
				{taskId: '_review', status: 'waiting_review'},
			],
		});
		expect(await colony.ask(['proposal', 'diff', '--trace', 't'])).toMatchObject({
			patch: expect.stringContaining(`+Hello from ${tool}`),
		});

		const {runs} = await colony.ask<{runs: {agentId: string}[]}>([
			'task',
			'show',
			'--trace',
			't',
			'--task',
			'greet',
		]);
		const log = await colony.hive(['logs', runs[0]?.agentId ?? '']);
		expect(linesOf(log.stdout)).toEqual(
			expect.arrayContaining(['Now I count.', '  line one (+2 lines)', lastWords]),
		);
		expect(log.stdout).not.toContain('"type"');
	});

	it('claude keeps the reported token usage, and the stream as it was written', async () => {
		const {colony} = await colonyWith('claude');
		const {agentId} = await colony.ask<{agentId: string}>([
			'bee',
			'run',
			'builder',
			'--trace',
			't',
			'-b',
			'Say hello',
		]);
		expect(await colony.ask(['inspect', 'usage', '--trace', 't', '--agent', agentId])).toMatchObject({
			usage: {inputTokens: 48, outputTokens: 160, cacheReadTokens: 4000, cacheWriteTokens: 1200},
			byRun: [{usage: {source: 'claude.stream-json', toolSession: expect.stringMatching(/^[\w-]{36}$/)}}],
		});
		const raw = linesOf((await colony.hive(['logs', agentId, '--raw'])).stdout).map(
			line => JSON.parse(line).type,
		);
		expect([raw[0], raw.at(-1)]).toEqual(['system', 'result']);
	});
});

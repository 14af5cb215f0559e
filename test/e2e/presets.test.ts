import {mkdir, mkdtemp, readFile, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {linesOf, openColony} from '../helpers/colony-on-disk.ts';
import {createRepository} from '../helpers/repository.ts';

const presets = join(import.meta.dirname, '../../fixtures/agents/presets/bin');

/** A repository on a machine that has this tool, after `hive init`. */
const colonyWith = async (tool: string) => {
	const home = await mkdtemp(join(tmpdir(), 'hive-preset-'));
	onTestFinished(() => rm(home, {recursive: true, force: true, maxRetries: 5}));
	await mkdir(join(home, 'bin'));
	await symlink(join(presets, tool), join(home, 'bin', tool));
	const repository = await createRepository({'readme.md': 'Something.\n'});
	const colony = openColony(repository, home, {PATH: `${home}/bin:${process.env.PATH}`});
	const made = await colony.ask(['init', '--agent', tool]);
	await repository.commit('hive init');
	return {colony, made};
};

const argvs = {
	claude: [
		...['-p', '<prompt>', '--output-format', 'stream-json', '--verbose'],
		...['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Read,Edit,Write'],
	],
	codex: ['exec', '--sandbox', 'danger-full-access', '<prompt>'],
	gemini: ['--approval-mode', 'yolo', '--skip-trust', '-p', '<prompt>'],
	opencode: ['run', '<prompt>'],
} as const;

describe('a colony that hive init made for', () => {
	it.each(Object.entries(argvs))('%s takes a feature to a proposal', async (tool, argv) => {
		const {colony, made} = await colonyWith(tool);
		expect(made).toMatchObject({agent: tool, agentTools: expect.arrayContaining([tool])});
		const {findings} = await colony.ask<{findings: {level: string}[]}>(['doctor']);
		expect(findings.filter(({level}) => level !== 'advisory')).toEqual([]);
		await colony.ask(['cue', 'run', 'feature', 'Say hello', '--trace', 't']);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);

		const noted = linesOf(await readFile(join(colony.home, 'argv.ndjson'), 'utf8')).map(line =>
			JSON.parse(line),
		);
		expect(noted).toEqual(['scout', 'builder', 'guard'].map(role => ({role, tool, argv})));
		expect(await colony.ask(['task', 'list', '--trace', 't'])).toMatchObject({
			tasks: [
				{
					taskId: 'greet',
					status: 'completed',
					summary: 'greeting.txt says hello.',
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
		const said =
			tool === 'claude'
				? ['I look at the task.', '> Bash ls', 'greeting.txt says hello.']
				: ['greeting.txt says hello.'];
		expect(linesOf(log.stdout).filter(line => line.trim() !== '')).toEqual(expect.arrayContaining(said));
		expect(log.stdout).not.toContain('"type"');
	});

	it('claude keeps what the tool says of its tokens, and its stream as it was written', async () => {
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
			usage: {inputTokens: 100, outputTokens: 20, cacheReadTokens: 30, cacheWriteTokens: 7},
		});
		const raw = linesOf((await colony.hive(['logs', agentId, '--raw'])).stdout).map(
			line => JSON.parse(line).type,
		);
		expect(raw).toEqual(['system', 'assistant', 'assistant', 'user', 'result']);
	});
});

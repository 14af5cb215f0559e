import {appendFile, mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createRedactorOfPieces, redacted} from '../../source/domain/redact.ts';
import {createColony, openColony, publishesIsolated} from '../helpers/colony-on-disk.ts';

const secrets = {
	ALPHA_API_KEY: 'alpha-canary-0f1e2d3c4b5a',
	BETA_KEY_OF_MINE: 'beta "quoted" canary\\n77',
	HIVE_CONSOLE_TOKEN: 'hive-canary-token-9988776655',
	SERVICE_PASSWORD: 'pass/canary+word=1234567',
};

/** Texts that no file and no output may contain: the secrets, also as JSON, and in base64 at any offset. */
const traces = Object.values(secrets).flatMap(secret => [
	secret,
	JSON.stringify(secret).slice(1, -1),
	...[0, 1, 2].map(shift =>
		Buffer.from(`${'x'.repeat(shift)}${secret}`)
			.toString('base64')
			.slice(shift === 0 ? 0 : 4, -4),
	),
]);

const leaksIn = (text: string): string[] => traces.filter(trace => text.includes(trace));

/** An agent that leaks its secrets in every possible way: output, files, events and field names. */
const blabber = {
	worktree: true,
	publishes: publishesIsolated,
	script: `k="$SERVICE_PASSWORD"
printf '%s\\n' "$k"; printf '%s' "$k" | base64; printf 'x%s' "$k" | base64; printf 'pass/can'; printf 'ary+word=1234567\\n'
echo "error: $k" >&2
echo "$k" >leak.txt; env >environment.txt
mkdir -p "$HIVE_COLONY_ROOT/.hive/runs/$HIVE_TRACE_ID/artifacts"
printf '# About %s\\n' "$k" >"$HIVE_COLONY_ROOT/.hive/runs/$HIVE_TRACE_ID/artifacts/note.md"
emit "{\\"type\\":\\"INSIGHT\\",\\"payload\\":{\\"kind\\":\\"review.note\\",\\"summary\\":\\"it is $k\\",\\"$k\\":1}}" >/dev/null
printf '{"type":"INSIGHT","payload":{"kind":"review.note","summary":"later %s"}}' "$k" | hive event emit --stdin --defer >/dev/null
printf 'The key is %s.\\n' "$k" >"$HIVE_RESULT_FILE"`,
};

test('secrets in the environment appear only in files that the agent itself wrote', async () => {
	const made = await createColony({bees: {blabber}});
	const machine = join(made.home, '.config/hive/scratch');
	await mkdir(join(machine, 'adapters'));
	await writeFile(join(machine, 'adapters/beta.yaml'), 'api_key_env: BETA_KEY_OF_MINE\n');
	const colony = openColony(made, made.home, secrets);
	const words = Object.values(secrets).join(' and ');
	const {traceId} = await colony.ask<{traceId: string}>(
		['task', 'create', '--title', `Use ${secrets.ALPHA_API_KEY}`, '--stdin', '--bee', 'blabber', '--autorun'],
		{input: `Do it with ${words}`},
	);
	await colony.hive(['run', '--until-idle']);
	const {
		traces: [trace],
	} = await colony.ask<{traces: {runs: {agentId: string; status: string}[]; tasks: {taskId: string}[]}[]}>([
		'status',
	]);
	expect(trace?.runs.map(({status}) => status)).toEqual(['completed']);
	const agentId = trace?.runs[0]?.agentId ?? '';
	const taskId = trace?.tasks[0]?.taskId ?? '';
	const at = ['--trace', traceId];
	const commands = [
		['status'],
		['task', 'list', ...at],
		['task', 'show', ...at, '--task', taskId],
		['replay', traceId],
		['logs', agentId],
		['logs', agentId, '--stderr'],
		['logs', agentId, '--raw'],
		['why', taskId, ...at],
		['proposal', 'list'],
		['proposal', 'diff', ...at],
		['proposal', 'diff', ...at, '--task', taskId],
		['export', traceId, '--output', '-'],
		['doctor'],
		['energy', 'show', ...at],
		['event', 'pending'],
		['proposal', 'reject', ...at, '--task', '_review', '--feedback', `no ${words}`],
		['bee', 'run', 'blabber', '--body', words],
		['cue', 'run', 'nothing', words],
		['task', 'show', ...at, '--task', secrets.ALPHA_API_KEY],
	];
	let printed = '';
	for (const command of commands)
		for (const args of [command, [...command, '--json']]) {
			const {stdout, stderr} = await colony.hive(args);
			expect([args[0], args[1], ...leaksIn(`${stdout}${stderr}`)]).toEqual([args[0], args[1]]);
			printed += stdout;
		}
	expect(printed).toContain(redacted);
	const leaky = (
		await Promise.all([filesBelow(join(colony.root, '.hive/runs')), filesBelow(machine)])
	).flat();
	expect(leaky.filter(path => !/std(out|err)\.log$|artifacts\/note\.md$/.test(path))).toEqual([]);
	expect(leaky.some(path => path.endsWith('stdout.log'))).toBe(true);
});

const filesBelow = async (folder: string): Promise<string[]> => {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
	const texts = await Promise.all(paths.map(path => readFile(path, 'utf8')));
	return paths.filter((_, at) => leaksIn(texts[at] ?? '').length > 0);
};

test('a secret that arrives in pieces is redacted at any split, and no other character is lost', () => {
	const secret = 'abcabcabd-1234';
	const text = `ab ${secret}, abcabc ${secret}${secret} abcabcabd-123x\n`;
	for (let one = 0; one < text.length; one++)
		for (const size of [1, 3, 7]) {
			const redact = createRedactorOfPieces([secret]);
			const pieces = [
				text.slice(0, one),
				...(text.slice(one).match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []),
			];
			expect([...pieces.map(redact.push), redact.end()].join('')).toBe(text.replaceAll(secret, redacted));
		}
});

test('the bus token from config.yaml is redacted from all agent output', async () => {
	const token = 'bus-canary-1122334455';
	const script = `said="the token: ${token}"; echo "$said"; echo "$said" >"$HIVE_RESULT_FILE"`;
	const colony = await createColony({bees: {teller: {script}}});
	const config = join(colony.home, '.config/hive/scratch/config.yaml');
	// An empty URL keeps the log on this machine.
	await appendFile(config, `bus: {url: "", token: ${token}}\n`);
	const {agentId, traceId} = await colony.ask<{agentId: string; traceId: string}>([
		'bee',
		'run',
		'teller',
		'-b',
		'Tell.',
	]);
	for (const args of [
		['replay', traceId],
		['logs', agentId],
		['status'],
		['export', traceId, '--out', '-'],
	]) {
		const {stdout} = await colony.hive(args);
		expect([args, stdout]).toEqual([args, expect.not.stringContaining(token)]);
	}
	expect((await colony.hive(['replay', traceId])).stdout).toContain(redacted);
});

import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished, vi} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import type {Result} from '../../source/cli/command.ts';
import type {CommandContext} from '../../source/cli/command-context.ts';
import {logs} from '../../source/cli/commands/logs.ts';
import {renderText} from '../../source/cli/text.ts';
import type {Outcome} from '../../source/domain/errors.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {runDirectory} from '../../source/runs/layout.ts';
import {filesInMemory} from '../colony/files-in-memory.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {claimOf, item, planOf, traceId} from '../helpers/events.ts';
import {sessionWith} from './session-with.ts';

const nowhere: CommandContext['open'] = () => Promise.reject(new Error('It went on to the colony.'));

/** Returns what `hive logs run1` with these flags prints on a terminal. */
const onTerminal = async (flags: Readonly<Record<string, readonly string[]>>, open = nowhere) => {
	const prepared = logs.prepare({flags, words: ['run1'], problems: []});
	if (!prepared.ok) return prepared;
	const stdout: CommandContext['stdout'] = {isTTY: true, columns: 80, color: true};
	return prepared.value.run(sessionWith({stdout, open}));
};

/** Creates a colony in which `run1` was claimed and has written nothing. */
const silent: CommandContext['open'] = async () => {
	const bus = createMemoryBus({clock: createSystemClock()});
	for (const event of [planOf(item('a')), claimOf('run1', 'a')])
		await bus.append(event, {id: event.payload.kind});
	// The context has only what reading a log needs.
	return {bus, checkout: 'here', colony: await colonyFrom({}), files: filesInMemory().files} as ActionContext;
};

/** Creates a colony in which `run1` left these files, at noon of 1 March 2026. */
const written = async (texts: Readonly<Record<string, string>>): Promise<CommandContext['open']> => {
	const root = await mkdtemp(join(tmpdir(), 'hive-logs-'));
	onTestFinished(() => rm(root, {recursive: true, maxRetries: 5, retryDelay: 100}));
	const directory = runDirectory(root, traceId, 'run1');
	await mkdir(directory, {recursive: true});
	for (const [name, text] of Object.entries(texts)) await writeFile(join(directory, name), text);
	const context = await silent();
	const clock = {...createSystemClock(), now: () => Date.parse('2026-03-01T12:00:00Z')};
	return async () => ({...context, clock, colony: {...context.colony, root}, files: createFiles()});
};

const linesOf = async (outcome: Outcome<Result>): Promise<string[]> => {
	const lines: string[] = [];
	if (outcome.ok && 'lines' in outcome.value)
		for await (const said of outcome.value.lines)
			lines.push(...[said].flat().map(({text}) => renderText(text, false)));
	return lines;
};

const textsOf = async (result: Result): Promise<unknown[]> => {
	const texts: unknown[] = [];
	if ('lines' in result)
		for await (const said of result.lines) texts.push(...[said].flat().map(({text}) => text));
	return texts;
};

describe('hive logs --raw', () => {
	it('is refused on a terminal, and the refusal names the alternatives', async () => {
		expect(await onTerminal({raw: ['true']})).toMatchObject({
			ok: false,
			refusal: {code: 'usage', hint: 'Send it to a file or a pipe, or add --yes.'},
		});
	});

	it('prints if the person insists', async () => {
		await expect(onTerminal({raw: ['true'], yes: ['true']})).rejects.toThrow('went on');
	});
});

describe('hive logs --times', () => {
	it('cannot be combined with --raw', async () => {
		expect(await onTerminal({raw: ['true'], times: ['true']})).toMatchObject({
			ok: false,
			refusal: {code: 'usage', message: '--raw and --times exclude each other.'},
		});
	});

	it.each([
		{zone: 'UTC', shown: ['2026-02-28 23:59:58 a', '           00:00:07 b', '           00:00:08 c']},
		{zone: 'Asia/Kolkata', shown: ['05:29:58 a', '05:30:07 b', '05:30:08 c']},
	])('prints the local time before each line, and the date on another day: $zone', async given => {
		vi.stubEnv('TZ', given.zone);
		const open = await written({
			'stdout.log': 'a\nb\nc\n',
			'stdout.times': '2 1772323198\n4 1772323207\n6 1772323208\n',
		});
		expect(await linesOf(await onTerminal({times: ['true']}, open))).toEqual(given.shown);
		expect(await linesOf(await onTerminal({}, open))).toEqual(['a', 'b', 'c']);
	});

	it('prints times of standard error too, and leaves a blank for an unknown time', async () => {
		vi.stubEnv('TZ', 'UTC');
		const open = await written({
			'stdout.log': 'a\n',
			'stderr.log': 'b\n',
			'stderr.times': '2 1772323207\n',
		});
		expect(await linesOf(await onTerminal({times: ['true']}, open))).toEqual(['         a']);
		const flags = {times: ['true'], stderr: ['true']};
		expect(await linesOf(await onTerminal(flags, open))).toEqual(['00:00:07 b']);
	});
});

describe('hive logs', () => {
	it('reports on a terminal that a run has written nothing', async () => {
		const outcome = await onTerminal({}, silent);
		expect(outcome.ok && (await textsOf(outcome.value))).toEqual([
			[{text: 'The run has written nothing to stdout.', style: 'dim'}],
		]);
	});
});

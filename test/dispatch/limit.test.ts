import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {Bee} from '../../source/colony/colony.ts';
import {readRemains} from '../../source/dispatch/remains.ts';
import {createFiles} from '../../source/drivers/files.ts';
import type {RunState} from '../../source/ports/processes.ts';
import {runPath} from '../../source/runs/layout.ts';
import {sampleInvocation} from '../agents/invocation.ts';

const ended: RunState = {state: 'ended', exitCode: 1, finishedAt: '2026-11-24T14:30:00.000Z'};
const said = "You've hit your usage limit. Try again in 5 minutes.\n";
const limit = {until: '2026-11-24T14:35:00.000Z'};
const failed = `${JSON.stringify({type: 'result', is_error: true, result: said})}\n`;

/** Returns the limit that is detected for a run with this output and this end. */
const limitOf = async (
	{stdout = '', stderr = ''}: {stdout?: string; stderr?: string},
	{
		bee = {},
		state = ended,
		interactive = false,
	}: {bee?: Partial<Bee>; state?: RunState; interactive?: boolean} = {},
) => {
	const directory = await mkdtemp(join(tmpdir(), 'hive-'));
	onTestFinished(() => rm(directory, {recursive: true}));
	await writeFile(runPath(directory, 'stdout'), stdout);
	await writeFile(runPath(directory, 'stderr'), stderr);
	const ports = {
		files: createFiles(),
		redact: (text: string) => text,
		prices: () => new Map(),
		settings: () => ({}),
	};
	const run = interactive ? {interactive} : {};
	const {output} = await readRemains(ports, directory, {bee: sampleInvocation(bee).bee, run, state});
	return output.limit;
};

describe('the limit of a run that failed at a limit of its tool', () => {
	it('is read with its reset time from the stream and the time of the end', async () => {
		expect(await limitOf({stdout: failed})).toEqual(limit);
		expect(await limitOf({stdout: failed}, {state: {...ended, exitCode: 0}})).toEqual(limit);
	});

	it('is read from standard error when the stream has no end event, also for a command of the bee', async () => {
		expect(await limitOf({stderr: said})).toEqual(limit);
		expect(await limitOf({stderr: said}, {bee: {adapter: 'codex', command: ['codex-in-a-box']}})).toEqual(
			limit,
		);
		const other = `${JSON.stringify({type: 'result', is_error: true, result: 'It broke.'})}\n`;
		expect(await limitOf({stdout: other, stderr: said})).toBeUndefined();
	});

	it('is read even if the end of the run was not observed', async () => {
		expect(await limitOf({stdout: failed}, {state: {state: 'vanished'}})).toEqual({});
	});
});

describe('the limit of a run', () => {
	it('is absent after success or a kill, whatever standard error contains', async () => {
		expect(await limitOf({stderr: said}, {state: {...ended, exitCode: 0}})).toBeUndefined();
		expect(
			await limitOf({stderr: said}, {state: {...ended, exitCode: 137, signal: 'SIGKILL'}}),
		).toBeUndefined();
		expect(await limitOf({stderr: said}, {state: {state: 'vanished'}})).toBeUndefined();
	});

	it('is absent for scripts and sessions', async () => {
		expect(
			await limitOf({stdout: said, stderr: said}, {bee: {adapter: 'script', command: ['true']}}),
		).toBeUndefined();
		expect(await limitOf({stdout: failed, stderr: said}, {interactive: true})).toBeUndefined();
	});
});

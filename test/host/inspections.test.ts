import {expect, it, vi} from 'vitest';
import type {TouchedFile} from '../../source/domain/run-progress.ts';
import {emptyTrace, rosterOfRuns, type Trace} from '../../source/domain/trace.ts';
import {createInspections} from '../../source/host/live/inspections.ts';
import {buildRun} from '../dashboard/build-trace.ts';
import {createManualClock} from '../reactor/rig.ts';

/** Inspections of one run, `a`, whose output grows and whose reads answer as a test says. */
const inspecting = () => {
	const clock = createManualClock();
	let trace: Trace = {...emptyTrace('t'), runs: rosterOfRuns([buildRun('a')])};
	let grow = (): void => {};
	let touched: readonly TouchedFile[] | undefined = [];
	const read = vi.fn(async () => touched);
	// The tested code uses only these fields.
	const context = {
		...{checkout: 'here', colony: {root: '/colony'}, clock},
		files: {
			watch: (_folder: string, _signal: AbortSignal, call: () => void) => {
				grow = call;
			},
		},
	} as unknown as Parameters<typeof createInspections>[0];
	const inspections = createInspections(context, () => new Map([['t', trace]]), read);
	const changed: string[] = [];
	inspections.onChange(new AbortController().signal, agentId => changed.push(agentId));
	/** Lets promises settle. */
	const settle = () => new Promise(resolve => setImmediate(resolve));
	return {
		...{inspections, read, changed, settle},
		inspect: () => {
			const viewer = new AbortController();
			inspections.inspect({traceId: 't', agentId: 'a'}, viewer.signal);
			return viewer;
		},
		advance: async (durationMs: number) => {
			await settle();
			clock.advance(durationMs);
			await settle();
		},
		grow: () => grow(),
		touch: (...paths: string[]) => {
			touched = paths.map(path => ({path, added: 1, removed: 0}));
		},
		end: () => {
			trace = {...trace, runs: rosterOfRuns([buildRun('a', {status: 'completed'})])};
		},
	};
};

it('the files of a run are read at once, and again when its output grows, but not more often', async () => {
	const run = inspecting();
	run.touch('a.txt');
	run.inspect();
	await run.settle();
	expect(run.read).toHaveBeenCalledTimes(1);
	expect(run.inspections.touchedBy('a')).toEqual([{path: 'a.txt', added: 1, removed: 0}]);
	run.grow();
	await run.advance(1999);
	expect(run.read).toHaveBeenCalledTimes(1);
	await run.advance(1);
	expect(run.read).toHaveBeenCalledTimes(2);
	expect(run.changed).toEqual(['a']);
});

it('a run without output is read every ten seconds', async () => {
	const run = inspecting();
	run.inspect();
	await run.advance(2000);
	await run.advance(7999);
	expect(run.read).toHaveBeenCalledTimes(1);
	run.touch('b.txt');
	await run.advance(1);
	expect(run.read).toHaveBeenCalledTimes(2);
	expect(run.inspections.touchedBy('a')).toMatchObject([{path: 'b.txt'}]);
});

it('several viewers share the reads of a run, which end with the last viewer', async () => {
	const run = inspecting();
	const [one, other] = [run.inspect(), run.inspect()];
	await run.settle();
	expect(run.read).toHaveBeenCalledTimes(1);
	one.abort();
	await run.advance(2000);
	await run.advance(8000);
	expect(run.read).toHaveBeenCalledTimes(2);
	other.abort();
	await run.advance(60_000);
	expect(run.read).toHaveBeenCalledTimes(2);
});

it('a run that has ended is not read', async () => {
	const run = inspecting();
	run.inspect();
	await run.settle();
	run.end();
	await run.advance(2000);
	await run.advance(8000);
	run.inspect();
	await run.settle();
	expect(run.read).toHaveBeenCalledTimes(1);
});

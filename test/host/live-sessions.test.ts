import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished, vi} from 'vitest';
import type {RunRecord} from '../../source/domain/run.ts';
import {emptyTrace, rosterOfRuns, type Trace} from '../../source/domain/trace.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {followSessions} from '../../source/host/sessions/live-sessions.ts';
import type {SessionContext} from '../../source/host/sessions/sessions.ts';
import type {SessionView} from '../../source/host/views/session.ts';
import type {RunState} from '../../source/ports/processes.ts';
import {runDirectory} from '../../source/runs/layout.ts';
import {type SessionFile, writeSession} from '../../source/runs/session.ts';
import {buildRun} from '../dashboard/build-trace.ts';
import {timeoutMs} from '../helpers/with-timeout.ts';

const eventually = (check: () => void) => vi.waitFor(check, {timeout: timeoutMs});

const alive = {state: 'alive', supervisor: {pid: 1, startTime: '', bootId: ''}, age: 0} as const;

/** A log and run directories that the test writes, and supervisors that the test ends. */
const follow = async (...runs: RunRecord[]) => {
	const root = await mkdtemp(join(tmpdir(), 'hive-live-sessions-'));
	const over = new AbortController();
	onTestFinished(async () => {
		over.abort();
		await rm(root, {recursive: true, force: true});
	});
	const files = createFiles();
	let state: RunState = {state: 'unbegun'};
	let end = (): void => {};
	const ended = new Promise<void>(resolve => {
		end = resolve;
	});
	let trace: Trace = {...emptyTrace('t'), runs: rosterOfRuns(runs)};
	let tell = (): void => {};
	let shown: readonly SessionView[] = [];
	// The tested code uses only these fields.
	const context = {
		...{checkout: 'here', colony: {root}, files},
		processes: {inspect: async () => state, ended: () => ended},
	} as unknown as SessionContext;
	followSessions(context, {
		ledger: {traces: () => new Map([['t', trace]]), snapshot: () => trace},
		moved: (_signal, call) => {
			tell = call;
		},
		signal: over.signal,
		call: all => {
			shown = all;
		},
	});
	return {
		shows: (states: readonly Partial<SessionView>[]) => eventually(() => expect(shown).toMatchObject(states)),
		say: (...now: RunRecord[]) => {
			trace = {...trace, runs: rosterOfRuns(now)};
			tell();
		},
		write: (agentId: string, change: Partial<SessionFile>) =>
			writeSession(files, runDirectory(root, 't', agentId), {
				...{sessionId: agentId, traceId: 't', agentId, bee: 'builder', adapter: 'alpha', workspace: root},
				...{colonyRoot: root, state: 'active', startedAt: '2026-03-01T14:00:00.000Z'},
				...{columns: 80, rows: 24, trueColor: false, recording: 0},
				...change,
			}),
		become: (next: RunState) => {
			state = next;
		},
		end: () => end(),
	};
};

const session = (agentId: string, change: Parameters<typeof buildRun>[1] = {}) =>
	buildRun(agentId, {interactive: true, ...change});

it('a live session is followed from its claim until its work is collected', async () => {
	const colony = await follow();
	colony.say(session('a'), buildRun('no-session'), session('elsewhere', {place: 'another'}));
	await colony.shows([{sessionId: 'a', state: 'starting'}]);
	colony.become(alive);
	await colony.write('a', {pid: 77});
	await colony.shows([{state: 'working', pid: 77, attached: 0}]);
	await colony.write('a', {pid: 77, attached: 2});
	await colony.shows([{state: 'working', attached: 2}]);
	colony.become({state: 'vanished'});
	colony.end();
	await colony.shows([{state: 'ended', attached: 0}]);
	colony.say(session('a', {status: 'failed', finishedAt: '2026-03-01T15:00:00.000Z'}));
	await colony.shows([{state: 'failed', finishedAt: '2026-03-01T15:00:00.000Z'}]);
});

it('ended sessions are listed from the start, oldest first', async () => {
	const colony = await follow(
		session('late', {status: 'completed', startedAt: '2026-03-01T13:00:00.000Z'}),
		session('early', {status: 'cancelled', startedAt: '2026-03-01T12:00:00.000Z'}),
	);
	await colony.shows([
		{sessionId: 'early', state: 'cancelled'},
		{sessionId: 'late', state: 'completed'},
	]);
});

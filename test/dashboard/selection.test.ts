import fc from 'fast-check';
import {afterEach, describe, expect, it} from 'vitest';
import {openDetail} from '../../source/dashboard/store/detail-changes.ts';
import {sessionsReceived, updateReceived} from '../../source/dashboard/store/feed-changes.ts';
import {moveSelection, selectTrace, setFilter} from '../../source/dashboard/store/list-changes.ts';
import {focusPane, openTab} from '../../source/dashboard/store/pane-changes.ts';
import {joinRequest, shownProgram} from '../../source/dashboard/store/program.ts';
import {queueKey, selectedReview} from '../../source/dashboard/store/queue.ts';
import {diffRows, shownPreview} from '../../source/dashboard/store/review.ts';
import {lists, logOfRun, selectedRun, subjectOf} from '../../source/dashboard/store/selectors.ts';
import {
	isList,
	type ListId,
	type State,
	type Tab,
	tabPanes,
	tabs,
} from '../../source/dashboard/store/state.ts';
import type {Change} from '../../source/dashboard/store/store.ts';
import {archive, nextSort, toggleCollapsed} from '../../source/dashboard/store/trace-list-changes.ts';
import type {Invite} from '../../source/domain/invite.ts';
import type {RunRecord} from '../../source/domain/run.ts';
import {type Task, taskStatuses} from '../../source/domain/task.ts';
import type {Trace} from '../../source/domain/trace.ts';
import type {SessionView} from '../../source/host/views/session.ts';
import {ago, buildEvent, buildInvite, buildRun, buildTask, buildTrace, mapOf} from './build-trace.ts';
import {type Driver, drive} from './screen-of.ts';

let driver: Driver;
afterEach(() => driver?.stop());

const waiting = (id: string): Trace =>
	buildTrace(id, {
		title: `Trace ${id}`,
		tasks: [buildTask('a', {status: 'waiting_review', review: 'required'})],
	});

const open = async (...traces: Trace[]): Promise<void> => {
	driver = await drive(
		{columns: 120, rows: 36},
		{follow: (_, call) => call({traces: mapOf(...traces), events: []})},
	);
};
const took = (...traces: Trace[]): void =>
	driver.store.dispatch(updateReceived({traces: mapOf(...traces), events: []}));
const selectedId = (list: ListId): string | undefined => {
	const state = driver.store.getState();
	return lists[list].idAt(state, lists[list].position(state));
};

describe('the selection in a list', () => {
	it('stays on a trace that is killed and moves to the finished ones', async () => {
		const [one, two, three, over] = ['one', 'two', 'three', 'over'].map(waiting) as [
			Trace,
			Trace,
			Trace,
			Trace,
		];
		const killed = (trace: Trace): Trace =>
			buildTrace(trace.traceId, {
				title: `Trace ${trace.traceId}`,
				killed: true,
				tasks: [buildTask('a', {status: 'cancelled'})],
			});
		await open(one, two, three, killed(over));
		driver.press('j');
		const id = selectedId('traces') ?? '';
		expect(id).toBe('two');
		took(one, killed(two), three, killed(over));
		expect(selectedId('traces')).toBe('two');
		expect(driver.screen()).toMatch(/>.*Trace two/);
	});

	it('stays on its row when new rows come above it, even before the first move', async () => {
		await open(waiting('one'));
		took(
			buildTrace('newer', {
				...waiting('newer'),
				tasks: [...waiting('newer').tasks.values()],
				runs: [],
				invites: [],
				createdAt: ago(0),
			}),
			waiting('one'),
		);
		expect(selectedId('traces')).toBe('one');
	});

	it('moves to the row below when its row is gone, and does not return by itself', async () => {
		await open(...['one', 'two', 'three'].map(waiting));
		const {queue} = lists;
		const [above, gone, below] = queue.rows(driver.store.getState()).map(row => queue.id(row));
		const left = (...ids: unknown[]) =>
			took(...['one', 'two', 'three'].filter(id => ids.includes(`${id}/a`)).map(waiting));
		driver.press('3', 'j');
		expect(selectedId('queue')).toBe(gone);
		left(above, below);
		expect(selectedId('queue')).toBe(below);
		left(above);
		expect(selectedId('queue')).toBe(above);
		left(above, gone, below);
		expect(selectedId('queue')).toBe(above);
	});

	it('is kept for each trace, and restored there', async () => {
		const of = (id: string) => buildTrace(id, {tasks: ['a', 'b', 'c'].map(task => buildTask(task))});
		await open(of('one'), of('two'));
		driver.press('tab', 'j', 'j');
		expect(selectedId('tasks')).toBe('c');
		driver.press('shift+tab', 'j');
		expect([selectedId('traces'), selectedId('tasks')]).toEqual(['two', 'a']);
		driver.press('k');
		expect([selectedId('traces'), selectedId('tasks')]).toEqual(['one', 'c']);
	});

	it('is the newest run of a task, until a person is in its runs or its log', async () => {
		const of = (...runs: string[]) =>
			buildTrace('one', {
				tasks: [buildTask('a', {status: 'running'})],
				runs: runs.map((id, index) => buildRun(id, {taskId: 'a', startedAt: ago(9 - index)})),
			});
		await open(of('r1'));
		took(of('r1', 'r2'));
		expect(selectedId('runs')).toBe('r2');
		driver.press('tab', 'tab');
		took(of('r1', 'r2', 'r3'));
		expect([selectedId('runs'), driver.store.getState().log.agentId]).toEqual(['r2', 'r2']);
		driver.press('shift+tab');
		took(of('r1', 'r2', 'r3', 'r4'));
		expect(selectedId('runs')).toBe('r2');
	});

	it('is the newest event, until a person moves to an older one', async () => {
		await open(waiting('one'));
		const comes = (sequence: number): void =>
			driver.store.dispatch(
				updateReceived({
					traces: driver.store.getState().traces,
					events: [{...buildEvent('one', 'SIGNAL', 'task.status'), sequence}],
				}),
			);
		driver.press('4');
		for (const sequence of [1, 2]) comes(sequence);
		expect(selectedId('events')).toBe('2');
		driver.press('j');
		comes(3);
		expect(selectedId('events')).toBe('1');
		driver.press('g');
		comes(4);
		expect(selectedId('events')).toBe('4');
	});

	it('waits for a requested row, and stays in place until that row comes', async () => {
		await open(waiting('one'), waiting('two'));
		driver.press('j');
		driver.store.dispatch(selectTrace('new'));
		expect(selectedId('traces')).toBe('two');
		took(waiting('one'), waiting('two'), waiting('new'));
		expect(selectedId('traces')).toBe('new');
	});

	it('is empty behind the detail of a missing trace, so that no key acts on it', async () => {
		await open(waiting('one'), waiting('two'));
		driver.press('i');
		took(waiting('two'));
		expect(driver.screen()).toContain('It is gone');
		expect(subjectOf(driver.store.getState())).toEqual({});
		driver.press('K');
		expect(driver.store.getState().mode.kind).toBe('browse');
		driver.press('esc');
		expect(selectedId('traces')).toBe('two');
	});

	it('shows no other detail in place of a missing task or run', async () => {
		const both = buildTrace('one', {
			tasks: [buildTask('a'), buildTask('b')],
			runs: [buildRun('r1', {taskId: 'a'})],
		});
		await open(both);
		for (const named of [{taskId: 'gone'}, {agentId: 'gone'}]) {
			driver.store.dispatch(openDetail({traceId: 'one', ...named, isOfRun: false}));
			expect(driver.screen()).toContain('It is gone');
		}
	});
});

type Colony = {readonly traces: ReadonlyMap<string, Trace>; readonly sessions: readonly SessionView[]};
type Step = (colony: Colony, state: State) => {readonly colony: Colony; readonly change: Change};

const letters = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const letter = fc.constantFrom(...letters);

const grown = (
	colony: Colony,
	id: string,
	change: {readonly tasks?: Task[]; readonly runs?: RunRecord[]; readonly invites?: Invite[]} & Partial<
		Pick<Trace, 'killed' | 'updatedAt'>
	>,
): Colony => {
	const old = colony.traces.get(id);
	const trace = buildTrace(id, {
		title: `Trace ${id}`,
		createdAt: old?.createdAt ?? ago(id.charCodeAt(0) - 90),
		killed: old?.killed ?? false,
		...change,
		tasks: [
			...new Map(
				[...(old?.tasks.values() ?? []), ...(change.tasks ?? [])].map(task => [task.taskId, task]),
			).values(),
		],
		runs: [
			...new Map(
				[...(old?.runs.values() ?? []), ...(change.runs ?? [])].map(run => [run.agentId, run]),
			).values(),
		],
		invites: [
			...new Map(
				[...(old?.invites.values() ?? []), ...(change.invites ?? [])].map(invite => [
					invite.inviteId,
					invite,
				]),
			).values(),
		],
	});
	return {...colony, traces: new Map(colony.traces).set(id, trace)};
};

let events = 0;
/** Changes the colony. */
const happens =
	(next: (colony: Colony) => Colony): Step =>
	(colony, {sessions}) => {
		const now = next(colony);
		events += 1;
		const event = {...buildEvent('a', 'SIGNAL', 'task.status'), sequence: events};
		return {
			colony: now,
			change: state => {
				const updated = updateReceived({traces: now.traces, events: [event]})(state);
				return sessions === now.sessions ? updated : sessionsReceived(now.sessions)(updated);
			},
		};
	};

/** A person moves, filters, sorts or archives. */
const person =
	(change: Change): Step =>
	colony => ({colony, change});

const statuses = fc.constantFrom(...taskStatuses);
const view = (id: string, state: SessionView['state']): SessionView => ({
	...{
		sessionId: `session-${id}`,
		traceId: id,
		bee: 'drone',
		state,
		startedAt: ago(3),
		attached: 0,
		title: '',
		lastRows: [],
	},
});

const happening: fc.Arbitrary<Step> = fc.oneof(
	fc
		.tuple(letter, letter, statuses)
		.map(([id, taskId, status]) =>
			happens(colony => grown(colony, id, {tasks: [buildTask(taskId, {status, review: 'required'})]})),
		),
	fc
		.tuple(letter, letter, fc.constantFrom('running', 'failed', 'completed'), fc.nat(9))
		.map(([id, taskId, status, at]) =>
			happens(colony =>
				grown(colony, id, {
					runs: [
						buildRun(`run-${id}-${at}`, {taskId, status: status as RunRecord['status'], startedAt: ago(at)}),
					],
				}),
			),
		),
	letter.map(id => happens(colony => grown(colony, id, {killed: true}))),
	letter.map(id =>
		happens(colony => ({...colony, traces: new Map([...colony.traces].filter(([other]) => other !== id))})),
	),
	fc
		.tuple(letter, letter, fc.constantFrom('pending', 'accepted', 'deferred', 'completed', 'cancelled'))
		.map(([id, invite, status]) =>
			happens(colony =>
				grown(colony, id, {invites: [buildInvite(`inv-${invite}`, {status: status as Invite['status']})]}),
			),
		),
	fc
		.tuple(letter, fc.constantFrom('starting', 'working', 'waiting', 'idle', 'ended', 'completed'))
		.map(([id, state]) =>
			happens(colony => ({
				...grown(colony, id, {runs: [buildRun(`session-${id}`, {interactive: true, bee: 'drone'})]}),
				sessions: [
					...colony.sessions.filter(({traceId}) => traceId !== id),
					view(id, state as SessionView['state']),
				],
			})),
		),
	letter.map(id =>
		happens(colony => ({...colony, sessions: colony.sessions.filter(({traceId}) => traceId !== id)})),
	),
);

const listNames = Object.keys(lists) as ListId[];
const rearranging: fc.Arbitrary<Step> = fc.oneof(
	fc.constant(person(nextSort)),
	fc.constant(person(toggleCollapsed)),
	letter.map(id => person(archive([id]))),
	fc
		.tuple(fc.constantFrom(...listNames), fc.constantFrom('', 'a', 'is:waiting', 'none of them'))
		.map(([list, text]) => person(setFilter(list, text))),
	fc.constantFrom(...tabs).map(tab => person(openTab(tab))),
	fc.constantFrom(...tabPanes.traces).map(pane => person(focusPane(pane))),
);
const moving = fc.record({list: fc.constantFrom(...listNames), rows: fc.integer({min: -3, max: 3})});

type Shown = {readonly id: string; readonly ids: readonly string[]};

/** Returns the lists of the open tab, by their places. */
const shownOf = (state: State): ReadonlyMap<string, Shown> =>
	new Map(
		tabPanes[state.tab].filter(isList).flatMap((name): [string, Shown][] => {
			const {rows, id, position, selectionKey: place, idAt} = lists[name];
			const selected = idAt(state, position(state));
			return selected === undefined
				? []
				: [[place(state), {id: selected, ids: rows(state).map(row => id(row))}]];
		}),
	);

/** Returns the expected selection after the rows changed. */
const expected = ({id, ids}: Shown, now: readonly string[], follows: boolean): string | undefined => {
	if (follows && id === ids[0]) return now[0];
	if (now.includes(id)) return id;
	const at = ids.indexOf(id);
	return (
		ids.slice(at).find(other => now.includes(other)) ??
		ids.slice(0, at).findLast(other => now.includes(other))
	);
};

const isShownAlone = (state: State): void => {
	const run = selectedRun(state)?.run.agentId ?? '';
	if (tabPanes[state.tab].includes('log')) {
		expect([state.log.agentId, logOfRun(state).agentId]).toEqual([run, run]);
		expect([undefined, run]).toContain(shownProgram(state)?.sessionId);
		expect([undefined, run]).toContain(joinRequest(state)?.session.sessionId);
	}
	if (state.tab === 'review') {
		const row = selectedReview(state);
		expect(shownPreview(state)?.key.split('@')[0]).toBe(row && queueKey(row));
		if (row === undefined) expect([state.preview, diffRows(state).length]).toEqual([undefined, 0]);
	}
	const {trace} = subjectOf(state);
	const first: Partial<Record<Tab, ListId>> = {
		traces: 'traces',
		sessions: 'sessions',
		runs: 'allRuns',
		review: 'queue',
	};
	const list = first[state.tab];
	if (list === undefined) return;
	const row = lists[list].selected(state) as {readonly trace?: Trace} | undefined;
	expect(trace?.traceId).toBe(row?.trace?.traceId);
};

describe('for any changes of a colony', () => {
	it('the selection stays on its row or moves to a neighbour, and every pane shows it', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(
					fc.oneof(
						{weight: 4, arbitrary: happening},
						{weight: 2, arbitrary: rearranging},
						{weight: 1, arbitrary: moving},
					),
					{
						minLength: 5,
						maxLength: 40,
					},
				),
				async steps => {
					const one = await drive(
						{columns: 120, rows: 36},
						{follow: (_, call) => call({traces: new Map(), events: []}), sessions: () => {}},
					);
					let colony: Colony = {traces: new Map(), sessions: []};
					const last = new Map<string, Shown>();
					for (const step of steps) {
						const before = one.store.getState();
						const wasShown = shownOf(before);
						if ('list' in step) {
							if (!tabPanes[before.tab].includes(step.list)) continue;
							const was = wasShown.get(lists[step.list].selectionKey(before));
							one.store.dispatch(moveSelection(step.list, step.rows));
							if (was === undefined) continue;
							const to = Math.max(0, Math.min(was.ids.length - 1, was.ids.indexOf(was.id) + step.rows));
							const state = one.store.getState();
							expect(lists[step.list].idAt(state, lists[step.list].position(state))).toBe(was.ids[to]);
							for (const [place, shown] of shownOf(state)) last.set(place, shown);
							isShownAlone(state);
							continue;
						}
						const next = step(colony, before);
						colony = next.colony;
						one.store.dispatch(next.change);
						const state = one.store.getState();
						for (const [place, {id, ids}] of shownOf(state)) {
							const was = last.get(place);
							// For tasks and runs, only the rows of the last shown trace are known.
							const isKnown =
								was !== undefined && (wasShown.has(place) || was.ids.includes(id) || !place.includes(' '));
							const follows =
								place === 'events' ||
								(place.startsWith('runs') && ['traces', 'tasks', 'sheet'].includes(state.focus.traces));
							const wanted = isKnown ? expected(was, ids, follows) : undefined;
							if (wanted !== undefined) expect([place, id]).toEqual([place, wanted]);
							last.set(place, {id, ids});
						}
						isShownAlone(state);
					}
					one.stop();
				},
			),
			{numRuns: 150},
		);
	});
});

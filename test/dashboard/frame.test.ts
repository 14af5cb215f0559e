import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {widthOf} from '../../source/dashboard/parts/cells.ts';
import {updateReceived} from '../../source/dashboard/store/feed-changes.ts';
import {select} from '../../source/dashboard/store/list-changes.ts';
import {setMode} from '../../source/dashboard/store/mode-changes.ts';
import {focusPane, openTab} from '../../source/dashboard/store/pane-changes.ts';
import {
	type PaneId,
	type Size,
	type State,
	type Tab,
	tabPanes,
	tabs,
} from '../../source/dashboard/store/state.ts';
import {setSize} from '../../source/dashboard/store/terminal-changes.ts';
import type {Task} from '../../source/domain/task.ts';
import {ago, buildRun, buildTask, buildTrace, mapOf} from './build-trace.ts';
import {loadedState, textOf} from './screen-of.ts';

const expectFits = (state: State): void => {
	const rows = textOf(state);
	expect(rows).toHaveLength(Math.max(1, state.size.rows - 1));
	for (const row of rows) expect(widthOf(row)).toBe(state.size.columns);
};

const modes = [
	{kind: 'browse'},
	{kind: 'help', text: ''},
	{kind: 'palette', text: '', selected: 3},
	{kind: 'details', title: 'x', lines: [], top: 0},
] as const;

describe('a frame', () => {
	it.each([
		['120x36', 120, 36],
		['80x24', 80, 24],
		['60x15', 60, 15],
	])('shows the traces at %s', async (name, columns, rows) => {
		await expect(textOf(loadedState({columns, rows})).join('\n')).toMatchFileSnapshot(
			`golden/traces-${name}.txt`,
		);
	});

	it('is one row shorter than the terminal and exactly as wide, at any size, on any tab', () => {
		fc.assert(
			fc.property(
				fc.integer({min: 1, max: 260}),
				fc.integer({min: 1, max: 90}),
				fc.constantFrom(...tabs),
				fc.constantFrom(...modes),
				fc.boolean(),
				(columns, rows, tab, mode, zoomed) => {
					const state = [openTab(tab), setMode(mode), setSize({columns, rows})].reduce(
						(next, change) => change(next),
						loadedState(),
					);
					expectFits({...state, zoomed});
				},
			),
			{numRuns: 150},
		);
	});

	it('stays aligned whatever agents write', () => {
		fc.assert(
			fc.property(fc.string({unit: 'grapheme'}), fc.string({unit: 'binary'}), (title, summary) => {
				const trace = buildTrace('t', {
					title,
					tasks: [buildTask('a', {summary: `漢字 ${summary} 🐝`, status: 'failed'})],
				});
				expectFits(updateReceived({traces: mapOf(trace), events: []})(loadedState({columns: 80, rows: 24})));
			}),
			{numRuns: 150},
		);
	});

	it.each([120, 100, 80])('cuts the title of a trace before its honey at %i columns', columns => {
		const trace = buildTrace('t', {title: 'A long title '.repeat(20), tasks: [buildTask('a')]});
		const shown = updateReceived({traces: mapOf(trace), events: []})(loadedState({columns, rows: 36}));
		expect(textOf(shown).find(row => row.includes('Tasks 1 of 1'))).toMatch(
			/…( t)? · honey \[[█░]+\] 7\/12 ─/,
		);
	});

	it('shows a request whose planning failed as failed, with the reason', () => {
		const failed = buildRun('r', {bee: 'scout', status: 'failed', summary: 'no such program'});
		const screenOf = (status: 'failed' | 'completed' | 'running') => {
			const trace = buildTrace('t', {title: 'Ask', runs: [{...failed, status}]});
			return textOf(updateReceived({traces: mapOf(trace), events: []})(loadedState())).join('\n');
		};
		expect(screenOf('failed')).toMatch(/✗ +Ask .*[\s\S]*Failed: no such program/);
		expect(screenOf('failed')).toContain('No tasks: scout failed.');
		expect(screenOf('completed')).toContain('No tasks: scout ended without a plan.');
		expect(screenOf('running')).toContain('No tasks yet');
	});

	it('shows the sheet of a gate, which has no runs', () => {
		const gate = buildTask('_review', {review: 'final', status: 'waiting_review', bee: ''});
		const trace = buildTrace('t', {tasks: [gate]});
		const shown = textOf(updateReceived({traces: mapOf(trace), events: []})(loadedState())).join('\n');
		expect(shown).toContain('You asked');
		expect(shown).toContain('Lands as   reading…');
		expect(shown).not.toMatch(/No run|no run/);
	});

	it('states the necessary size if the terminal is too small', () => {
		expect(textOf(loadedState({columns: 59, rows: 20}))[0]).toContain('Need 60x15, have 59x20.');
	});

	it('names the next command if the colony is empty', () => {
		const empty = updateReceived({traces: new Map(), events: []})(loadedState());
		expect(textOf(empty).join('\n')).toContain('hive cue run feature "<text>"');
	});

	it('shows a cycle in a plan as a red row, and the rest of the plan', () => {
		const trace = buildTrace('t', {
			tasks: [buildTask('a', {dependsOn: ['b']}), buildTask('b', {dependsOn: ['a']}), buildTask('fine')],
		});
		const rows = textOf(updateReceived({traces: mapOf(trace), events: []})(loadedState()));
		expect(rows.filter(row => row.includes('in a cycle'))).toHaveLength(2);
		expect(rows.some(row => row.includes('fine'))).toBe(true);
	});

	it('states that the bus is unreachable and since when', () => {
		const state: State = {
			...loadedState(),
			status: {
				reactor: 'none',
				bus: {state: 'unreachable', since: Date.parse('2026-03-01T13:58:00Z')},
				places: [],
			},
		};
		expect(textOf(state).join('\n')).toContain('bus unreachable since 13:58:00');
	});
});

describe('warnings about a run', () => {
	const warning = 'post_exec ended with exit code 4: no network, and a word for the next row';
	const run = buildRun('77cd02bb00bb11cc', {
		taskId: 'a',
		status: 'completed',
		finishedAt: ago(1),
		warnings: [warning, ...Array.from({length: 19}, (_, index) => `${index} ${'long words '.repeat(40)}`)],
	});
	const waiting = buildTask('a', {status: 'waiting_review', review: 'required'});
	const trace = buildTrace('t', {tasks: [waiting], runs: [run, buildRun('r2', {taskId: 'a'})]});
	const shown = (tab: Tab, pane: PaneId, size: Size, of = trace) =>
		[
			updateReceived({traces: mapOf(of), events: []}),
			openTab(tab),
			focusPane(pane),
			select('runs', run.agentId),
			select('allRuns', run.agentId),
		].reduce((state, change) => change(state), loadedState(size));

	it.each([
		[120, 36],
		[80, 24],
	])('are marked in the row of the run and shown above its log, at %dx%d', (columns, rows) => {
		for (const [tab, pane] of [
			['traces', 'runs'],
			['runs', 'allRuns'],
		] as const) {
			const screen = textOf(shown(tab, pane, {columns, rows})).join('\n');
			expect(screen).toMatch(/> *.*builder .*✓ completed +!20 /);
			expect(screen).toContain('! post_exec ended with exit code 4: no network');
			expect(screen).toContain('It wrote nothing to its standard output.');
		}
	});

	it.each([
		[120, 36],
		[80, 24],
	])('are marked in the review queue and shown above the diff with their bee, at %dx%d', (columns, rows) => {
		const screen = textOf(shown('review', 'queue', {columns, rows})).join('\n');
		expect(screen).toMatch(/>◆ Work on a/);
		expect(screen).toContain(' !20');
		expect(screen).toContain('! builder  post_exec ended with exit code 4: no network');
	});

	it('take no column if there are none', () => {
		const calm = buildTrace('t', {tasks: [waiting], runs: [buildRun('r2', {taskId: 'a'})]});
		const screen = textOf(shown('traces', 'runs', {columns: 120, rows: 36}, calm)).join('\n');
		expect(screen).toContain('STATE          DUR');
		expect(screen).not.toContain('!');
	});

	it('fit any terminal, however many there are', () => {
		fc.assert(
			fc.property(
				fc.integer({min: 60, max: 260}),
				fc.integer({min: 15, max: 90}),
				fc.constantFrom(...tabs),
				fc.boolean(),
				(columns, rows, tab, zoomed) =>
					expectFits({...shown(tab, tabPanes[tab].at(-1) ?? 'log', {columns, rows}), zoomed}),
			),
			{numRuns: 100},
		);
	});
});

describe('verdicts of guards on the work under review', () => {
	const proposal = {sequence: 4, workspace: 'isolated', summary: ''} as const;
	const done = (taskId: string, more: Partial<Task>) =>
		buildTask(taskId, {status: 'completed', proposal, ...more});
	const trace = buildTrace('t', {
		tasks: [
			done('api', {verdict: {sequence: 6, proposal: 4, passed: true, summary: 'fine'}}),
			done('web', {}),
			buildTask('_review', {status: 'waiting_review', review: 'final'}),
		],
		runs: ['api', 'web'].map(taskId => buildRun(`run-${taskId}`, {taskId, status: 'completed'})),
	});
	const shown = (columns: number, rows: number, zoomed = false) => {
		const state = [
			updateReceived({traces: mapOf(trace), events: []}),
			openTab('review'),
			focusPane('queue'),
		].reduce((before, change) => change(before), loadedState({columns, rows}));
		return textOf({...state, zoomed}).join('\n');
	};

	it('are in the list, and in the sheet with the tasks in doubt', () => {
		expect(shown(120, 36)).toMatch(/final review, no verdict/);
		expect(shown(120, 36)).toMatch(/Guards +! Work on web +no verdict/);
		expect(shown(120, 36)).toMatch(/✓ Work on api +guard: "fine"/);
		expect(shown(120, 36, true)).toMatch(/>◆ Work on api · final review, no verdict +6m/);
		expect(shown(80, 24)).toMatch(/Guards +! Work on web +no verdict/);
	});
});

describe('the name of a bee', () => {
	const named = (columns: number, rows: number) =>
		textOf(
			updateReceived({
				traces: mapOf(buildTrace('t', {tasks: [buildTask('a', {bee: 'db-migrator'})]})),
				events: [],
			})(loadedState({columns, rows})),
		).join('\n');

	it.each([
		[120, 36],
		[80, 24],
	])('is complete if there is room for it, at %dx%d', (columns, rows) => {
		expect(named(columns, rows)).toContain(' db-migrator ');
	});
});

import {describe, expect, it} from 'vitest';
import {widthOf} from '../../source/dashboard/parts/cells.ts';
import {activitiesReceived, updateReceived} from '../../source/dashboard/store/feed-changes.ts';
import {focusPane, openTab} from '../../source/dashboard/store/pane-changes.ts';
import type {PaneId, Tab} from '../../source/dashboard/store/state.ts';
import {ago, buildRun, buildTask, buildTrace, mapOf, noon} from './build-trace.ts';
import {loadedState, textOf} from './screen-of.ts';

const sizes = [
	[60, 15],
	[80, 24],
	[120, 36],
	[160, 45],
	[200, 50],
] as const;

const idOf = (index: number): string => `trace-019a8b7c3f9a${String(index).padStart(4, '0')}`;
const gate = buildTask('_review', {status: 'waiting_review', review: 'final', bee: ''});
const gates = Array.from({length: 42}, (_, index) =>
	buildTrace(idOf(index), {
		title: `Wish ${index}`,
		createdAt: ago(index + 1),
		tasks: [buildTask('task-019a8b7c3f9a1c02', {status: 'completed'}), gate],
	}),
);
const many = buildTrace(idOf(99), {
	title: 'Move everything',
	createdAt: ago(0),
	tasks: Array.from({length: 300}, (_, index) =>
		buildTask(`task-019a8b7c3f9a${1000 + index}`, {
			title: `Step ${index}`,
			status: index === 298 ? 'running' : 'planned',
			dependsOn: index === 299 ? [`task-019a8b7c3f9a${1000 + 286}`] : [],
		}),
	),
});
const stuck = buildTrace(idOf(98), {
	title: 'Speed up the importer',
	tasks: [buildTask('t', {status: 'failed', summary: 'it is out of disk'})],
	runs: [
		buildRun('5d2f91aa00bb11cc', {
			taskId: 't',
			status: 'failed',
			exitCode: 3,
			summary: 'exit code 3',
			finishedAt: ago(1),
		}),
	],
});

const needing = buildTrace(idOf(97), {
	tasks: [...many.tasks.values()].map((task, index) =>
		index < 299
			? {...task, status: 'planned' as const}
			: {...task, status: 'running' as const, dependsOn: [`task-019a8b7c3f9a${1000 + 298}`]},
	),
});
const working = buildTrace(idOf(96), {
	title: 'Rename everything',
	runs: ['aa', 'bb'].map(id => buildRun(id)),
});
const atWork = new Map(
	['aa', 'bb'].map(id => [
		id,
		{
			...{tool: 'Bash', about: `npm test -- ${id}`, spokeAt: noon - 12_000},
			used: {inputTokens: 12_000, costUsd: 0.04},
		},
	]),
);

const shown = (
	[columns, rows]: readonly [number, number],
	tab: Tab,
	pane: PaneId,
	traces = [...gates, many, stuck],
): readonly string[] => {
	const screen = textOf(
		[updateReceived({traces: mapOf(...traces), events: []}), openTab(tab), focusPane(pane)].reduce(
			(state, change) => change(state),
			loadedState({columns, rows}),
		),
	);
	for (const row of screen) expect(widthOf(row)).toBe(columns);
	return screen;
};

describe.each(sizes)('a crowded colony at %ix%i', (columns, rows) => {
	const size = [columns, rows] as const;

	it('names each gate of the queue by the title of its trace, without ids', () => {
		const listed = shown(size, 'review', 'queue').filter(row => /^│[ >]+(\d+ +)?\S* *Wish \d+/.test(row));
		expect(listed.length).toBeGreaterThan(2);
		const ids = shown(size, 'review', 'queue').filter(row => row.includes('…3f9a00'));
		expect(ids).toEqual([]);
	});

	it('names each trace in one row, with its reason beside it', () => {
		const text = shown(size, 'traces', 'traces', [stuck, ...gates.slice(0, 1)]).join('\n');
		expect(text).toMatch(/Speed up the .*Failed: it /);
		expect(text.includes('…3f9a0098')).toBe(columns >= 160);
	});

	it('numbers tasks with three digits and names them, and the tasks that they need', () => {
		const listed = shown(size, 'traces', 'tasks', [many]).join('\n');
		expect(listed).toMatch(/│> *300 Step 298 /);
		expect(listed).toMatch(/299 Step 297 /);
		if (columns < 160) return;
		expect(shown(size, 'traces', 'tasks', [needing]).join('\n')).toMatch(
			/300 +└ Step 299 .* running .* 299 +/,
		);
	});

	it('shows in the row of each open run its activity, its last output and its usage', () => {
		const state = [
			updateReceived({traces: mapOf(working), events: []}),
			activitiesReceived(atWork),
			openTab('runs'),
			focusPane('allRuns'),
		].reduce((state, change) => change(state), loadedState({columns, rows}));
		const screen = textOf(state);
		expect(screen.filter(row => row.includes('0:12 B'))).toHaveLength(2);
		expect(screen.filter(row => row.includes('$0.04')).length).toBeGreaterThan(0);
		expect(screen.filter(row => /│[ >]Rename /.test(row))).toHaveLength(2);
	});
});

describe('a wide screen', () => {
	it('shows every run in one row at 200 columns, also the selected one', () => {
		const listed = shown([200, 50], 'runs', 'allRuns', [stuck]);
		expect(listed.filter(row => row.includes('5d2f91aa00bb11cc')).length).toBe(1);
		expect(listed[4]).toMatch(
			/^│>Work on t · Speed up the importer .* ✗ failed .* exit 3 .*5d2f91aa00bb11cc│$/,
		);
		expect(listed[5]).toMatch(/^│ +│$/);
	});

	it('shows a trace in one row at 200 columns', () => {
		const listed = shown([200, 50], 'traces', 'traces').filter(row => /^│.{4,9}Wish \d+/.test(row));
		expect(listed.length).toBe(
			listed.filter(row => /Wish \d+ .*1\/1.*…3f9a00/.test(row.slice(0, 80))).length,
		);
	});

	it('states how a run ended once in its row', () => {
		const row = shown([200, 50], 'traces', 'runs', [stuck]).findLast(text => text.includes('✗ failed '));
		expect(row).toMatch(/builder +✗ failed .* exit 3 +5d2f91aa00bb11cc/);
		expect(row).not.toContain('exit code 3');
	});
});

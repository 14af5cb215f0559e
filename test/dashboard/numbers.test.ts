import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {clip, widthOf} from '../../source/dashboard/parts/cells.ts';
import {
	activitiesReceived,
	sessionsReceived,
	spendingReceived,
	statusReceived,
	updateReceived,
} from '../../source/dashboard/store/feed-changes.ts';
import {focusPane, openTab} from '../../source/dashboard/store/pane-changes.ts';
import {type State, tabPanes, tabs} from '../../source/dashboard/store/state.ts';
import {formatCompactCount, formatDollars} from '../../source/host/views/format-reserve.ts';
import {ago, buildRun, buildTask, buildTrace, mapOf, noon} from './build-trace.ts';
import {loadedState, textOf} from './screen-of.ts';

const fixedSizes = [
	[60, 15],
	[80, 24],
	[120, 36],
	[200, 50],
] as const;

const size = fc.oneof(
	fc.constantFrom(...fixedSizes),
	fc.tuple(fc.integer({min: 60, max: 210}), fc.integer({min: 15, max: 55})),
);

/** Numbers of a colony. Each has its own digits, so that a part of one differs from any other. */
const figures = fc.record({
	size,
	honey: fc.constantFrom(
		...([
			[9, 12],
			[0, 12],
			[887, 998],
			[1234, 5000],
			[98_765, 123_456],
		] as const),
	),
	cost: fc.constantFrom(0.13, 7.77, 42.42, 123.45, 1234.56),
	limit: fc.constantFrom(undefined, 5, 500.25, 99_999.99),
	tokens: fc.constantFrom(0, 999, 12_345, 1_234_567, 987_654_321),
	maxTokens: fc.constantFrom(undefined, 1_000_000),
	tasks: fc.constantFrom(1, 12, 345),
	bees: fc.constantFrom(0, 7, 38),
	sessions: fc.constantFrom(0, 4, 57),
	/** Minutes. */
	age: fc.constantFrom(0, 59, 1439, 1_440_000),
	title: fc.constantFrom(
		'Add OAuth login',
		'Move every one of the 4321 importers to the queue that was made in 2025, all at once',
	),
});

type Figures = typeof figures extends fc.Arbitrary<infer Value> ? Value : never;

const traceOf = ({honey: [left, budget], cost, limit, tokens, maxTokens, tasks, bees, age, title}: Figures) =>
	buildTrace('trace-019a8b7c3f9a1c02', {
		...{title, createdAt: ago(age), energyRemaining: left, energyBudget: budget, spent: {cost, tokens}},
		...(limit === undefined ? {} : {maxCost: limit}),
		...(maxTokens === undefined ? {} : {maxTokens}),
		tasks: Array.from({length: tasks}, (_, index) =>
			buildTask(`t${index}`, {
				title,
				status: index < bees ? 'running' : index % 7 === 6 ? 'completed' : 'planned',
				...(index < bees ? {agentId: `run-${index}`} : {}),
				dependsOn: Array.from({length: Math.min(index, 6)}, (_, at) => `t${index - at - 1}`),
			}),
		),
		runs: Array.from({length: Math.max(1, bees)}, (_, index) =>
			buildRun(`run-${index}`, {
				taskId: `t${index}`,
				startedAt: ago(age),
				...(index % 3 === 2
					? {status: 'failed', exitCode: 3, finishedAt: ago(0), warnings: Array(12).fill('w')}
					: {}),
			}),
		),
	});

const stateOf = (given: Figures): State => {
	const {
		size: [columns, rows],
		cost,
		tokens,
		sessions,
		bees,
		age,
	} = given;
	const trace = traceOf(given);
	const doing = {tool: 'Edit', about: 'src/upload.ts', spokeAt: noon - 12_000};
	return [
		updateReceived({traces: mapOf(trace), events: []}),
		spendingReceived({since: '2026-03-01T00:00:00.000Z', cost}),
		statusReceived({reactor: 'here', bus: {state: 'live'}, places: [], slots: {taken: bees, total: 64}}),
		activitiesReceived(
			new Map([...trace.runs.keys()].map(id => [id, {...doing, used: {costUsd: cost, inputTokens: tokens}}])),
		),
		sessionsReceived(
			Array.from({length: sessions}, (_, index) => ({
				...{traceId: trace.traceId, sessionId: `s${index}`, bee: 'builder', state: 'working'},
				...{attached: 1, startedAt: ago(age), pid: 4_190_000 + index},
			})) as unknown as Parameters<typeof sessionsReceived>[0],
		),
	].reduce((state, change) => change(state), loadedState({columns, rows}));
};

/** Matches a number in a row that is cut off inside the number. */
const cutNumber = /(?:\d[\d.,:/]*[KMBT]?|\$)…/;

/** Expects every number of honey and money in a row to be whole. */
const expectWhole = (given: Figures, row: string): void => {
	// Only the bundle replaces how Ink cuts the titles of other panes.
	expect(row.replaceAll(/┌─ (?!Tasks).*?┐/g, '')).not.toMatch(cutNumber);
	const {
		honey: [left, budget],
		cost,
		limit,
		bees,
	} = given;
	for (const [found] of row.matchAll(/\$\d[\d.,]*/g)) {
		const sums = [cost, limit ?? 0, cost + cost * Math.max(1, bees)].map(formatDollars);
		const isSum = sums.includes(found) || Number(found.slice(1)) >= cost;
		expect([found, isSum, /\.\d\d$/.test(found)]).toEqual([found, true, true]);
	}
	for (const [, found] of row.matchAll(/honey (?:\[[█░]+\] )?(\d\S*)/g))
		expect(found).toBe(`${left}/${budget}`);
	for (const [found] of row.matchAll(/\d[\d.]*[KMB]?\/\d\S* tokens/g))
		expect(found).toBe(
			`${formatCompactCount(given.tokens)}/${formatCompactCount(given.maxTokens ?? 0)} tokens`,
		);
};

describe('the numbers on the dashboard', () => {
	it("are whole or absent, whatever their values and the terminal's width", () => {
		fc.assert(
			fc.property(figures, fc.constantFrom(...tabs), fc.nat(3), (given, tab, at) => {
				const panes = tabPanes[tab];
				const pane = panes[at % panes.length] ?? panes[0];
				if (pane === undefined) return;
				const screen = textOf(focusPane(pane)(openTab(tab)(stateOf(given))));
				for (const row of screen) {
					expect(widthOf(row)).toBe(given.size[0]);
					expectWhole(given, row);
				}
			}),
			{numRuns: Number(process.env.HIVE_NUMBERS ?? 60)},
		);
	});

	it.each(fixedSizes)('are all there on the most important screens, at %i x %i', (columns, rows) => {
		const given: Figures = {
			...{size: [columns, rows], honey: [1234, 5000], cost: 1234.56, limit: undefined, tokens: 12_345},
			...{maxTokens: undefined, tasks: 12, bees: 7, sessions: 4, age: 59, title: 'Add OAuth login'},
		};
		const traces = textOf(focusPane('traces')(stateOf(given))).join('\n');
		expect(traces).toContain(columns >= 80 ? '7 of 64 agents running' : 'bees 5');
		expect(traces).toMatch(/[ │]0\/12[ │]/);
		const tasks = textOf(focusPane('tasks')(stateOf(given))).join('\n');
		expect(tasks).toContain('1234/5000');
		expect(tasks).toContain(columns >= 80 ? '$1234.56' : '1234/5000');
	});
});

describe('the cut of a text', () => {
	it.each([
		['honey 9/12 left', 8, 'honey …'],
		['honey 9/12 left', 11, 'honey …'],
		['honey 9/12 left', 12, 'honey 9/12 …'],
		['cost $0.13', 8, 'cost …'],
		['cost $0.13', 7, 'cost …'],
		['took 1:02:03', 9, 'took …'],
		['for 1h02m', 7, 'for …'],
		['12.3K tokens', 5, '…'],
		['12.3K tokens', 6, '12.3K'],
		['12.3K tokens', 7, '12.3K …'],
		['1,204 lines', 4, '…'],
		['see 90% of it', 7, 'see …'],
		['plain words', 6, 'plain…'],
	])('is before a number: %j in %i columns', (text, width, cut) => {
		expect(clip(text, width)).toBe(cut);
	});

	it('is never inside a number', () => {
		const number = fc.oneof(
			fc.tuple(fc.nat(9999), fc.nat(9999)).map(([one, other]) => `${one}/${other}`),
			fc.nat(999_999).map(cents => formatDollars(cents / 100)),
			fc.nat(99_999_999).map(formatCompactCount),
			fc.nat(9999).map(seconds => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`),
		);
		const text = fc.array(fc.oneof(number, fc.constantFrom('honey', 'of', 'tokens', '·')), {maxLength: 6});
		fc.assert(
			fc.property(text, fc.nat(40), (words, width) => {
				const cut = clip(words.join(' '), width);
				expect(widthOf(cut)).toBeLessThanOrEqual(width);
				if (!cut.endsWith('…')) return;
				const kept = cut.slice(0, -1).trimEnd().split(' ');
				const last = kept.at(-1) ?? '';
				if (/\d/.test(last)) expect(words[kept.length - 1]).toBe(last);
			}),
		);
	});
});

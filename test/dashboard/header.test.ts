import {describe, expect, it} from 'vitest';
import {
	activitiesReceived,
	spendingReceived,
	statusReceived,
	updateReceived,
} from '../../source/dashboard/store/feed-changes.ts';
import {initialState} from '../../source/dashboard/store/initial-state.ts';
import {setSize} from '../../source/dashboard/store/terminal-changes.ts';
import type {Spent} from '../../source/host/views/today.ts';
import {ago, buildTask, buildTrace, mapOf} from './build-trace.ts';
import {loadedState, textOf} from './screen-of.ts';

const older = buildTrace('old', {createdAt: ago(60 * 48), spent: {cost: 90, tokens: 10}});
const paused = buildTrace('paused', {
	createdAt: ago(60 * 48),
	tasks: [buildTask('a', {status: 'blocked', pausedUntil: '2026-03-01T14:49:00Z'})],
});
const today: Spent = {since: '2026-03-01T00:00:00.000Z', cost: 0.65};

const headerAt = (columns: number, spent = today): string => {
	const state = [
		updateReceived({traces: mapOf(older, paused), events: []}),
		spendingReceived(spent),
		statusReceived({reactor: 'here', bus: {state: 'live'}, places: [], slots: {taken: 1, total: 4}}),
		activitiesReceived(new Map([['r', {about: '', used: {costUsd: 0.1}, spokeAt: 0}]])),
		setSize({columns, rows: 36}),
	].reduce((before, change) => change(before), loadedState());
	return textOf(state)[0] ?? '';
};

describe('the header', () => {
	it("shows today's cost, the taken slots and the end of a pause", () => {
		expect(headerAt(160)).toMatch(
			/bus ● embedded · reactor ● this process · paused until 14:49 · today \$0\.75 · 1 of 4 agents running/,
		);
	});

	it('uses shorter text in less space, and then the number of bees instead of the slots', () => {
		expect(headerAt(120)).toContain(
			'bus ● · reactor ● · paused until 14:49 · today $0.75 · 1 of 4 agents running',
		);
		expect(headerAt(80)).toContain('bees 0  paused 14:49  today $0.75');
		expect(headerAt(60)).toMatch(/bees 0 +14:02/);
	});

	it.each([200, 120, 80, 60])(
		'states in its first frame of %i columns that the reactor starts, and never that there is none',
		columns => {
			const [first = ''] = textOf(initialState({columns, rows: 36}, 0));
			expect(first).toMatch(/reactor ○ starting/);
			const failed = statusReceived({reactor: 'none', bus: {state: 'live'}, places: []});
			expect(textOf(failed(initialState({columns, rows: 36}, 0)))[0]).toMatch(/reactor ○ none: hive run/);
		},
	);

	it('counts no cost of the previous day, even before the first update of the new day', () => {
		const yesterday = {since: '2026-02-28T00:00:00.000Z', cost: 90};
		expect(headerAt(160, yesterday)).toContain('today $0.10');
	});
});

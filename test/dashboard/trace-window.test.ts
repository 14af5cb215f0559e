import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {initialState} from '../../source/dashboard/store/initial-state.ts';
import {traceList} from '../../source/dashboard/store/trace-list.ts';
import {traceWindow} from '../../source/dashboard/store/trace-window.ts';
import {buildRun, buildTask, buildTrace, mapOf, noon} from './build-trace.ts';

const gate = buildTask('_review', {status: 'waiting_review', review: 'final', bee: ''});
const some = (count: number, kind: string, tasks: ReturnType<typeof buildTask>[]) =>
	Array.from({length: count}, (_, index) =>
		buildTrace(`${kind}-${index}`, {
			title: `${kind} ${index}`,
			tasks,
			runs: kind === 'running' ? [buildRun(`r-${index}`, {taskId: 'a'})] : [],
		}),
	);

const colony = (needs: number, running: number, waiting: number, finished: number, isExpanded = false) => {
	const traces = mapOf(
		...some(needs, 'needs', [buildTask('a', {status: 'completed'}), gate]),
		...some(running, 'running', [buildTask('a', {status: 'running'})]),
		...some(waiting, 'waiting', [buildTask('a', {status: 'ready'})]),
		...some(finished, 'finished', [buildTask('a', {status: 'completed'})]),
	);
	return traceList.rows({...initialState({columns: 120, rows: 36}, noon), traces, loaded: true, isExpanded});
};
const shown = (all: ReturnType<typeof colony>, selected: number, height: number) => {
	const {rows, headings} = traceWindow(all, selected, height);
	return rows.flatMap((row, index) => {
		const heading = headings.get(index);
		const text = row.trace ? row.title : `Finished ${row.finished}`;
		return heading === undefined ? [text] : [`${heading.section} ${heading.count}`, text];
	});
};

describe('the visible part of the trace list', () => {
	it('has a heading with a count above each section', () => {
		expect(shown(colony(1, 1, 1, 2), 0, 12)).toEqual([
			...['Needs you 1', 'needs 0', 'Running 1', 'running 0', 'Waiting 1', 'waiting 0', 'Finished 2'],
		]);
	});

	it('shows what runs, however much waits, and the section of the selected row around it', () => {
		const all = colony(30, 1, 30, 40);
		const rows = shown(all, 25, 12);
		expect(rows).toContain('Running 1');
		expect(rows).toContain('running 0');
		expect(rows).toContain('Finished 40');
		expect(rows).toContain(all[25]?.trace?.title);
		expect(rows).toHaveLength(12);
	});

	it('has no headings where they would push out rows', () => {
		expect(shown(colony(1, 1, 1, 2), 0, 4)).toEqual(['needs 0', 'running 0', 'waiting 0', 'Finished 2']);
	});

	it('keeps the row of the finished traces on top of them', () => {
		const all = colony(0, 1, 0, 40, true);
		expect(shown(all, all.length - 1, 8)).toContain('Finished 40');
	});

	it('always has the selected row, never too many, and a row of each section if there is room', () => {
		const count = fc.nat(12);
		fc.assert(
			fc.property(
				fc.tuple(count, count, count, count),
				fc.boolean(),
				fc.nat(60),
				fc.integer({min: 1, max: 30}),
				(counts, isExpanded, at, height) => {
					const all = colony(...counts, isExpanded);
					if (all.length === 0) return;
					const selected = at % all.length;
					const {rows, headings, counts: sections} = traceWindow(all, selected, height);
					expect(rows).toContain(all[selected]);
					expect(rows.length + headings.size).toBeLessThanOrEqual(height);
					expect(rows.length + headings.size).toBe(Math.min(height, all.length + headings.size));
					expect(new Set(rows).size).toBe(rows.length);
					if (height < sections.length) return;
					const kinds = new Set(rows.map(row => (row.trace ? row.section : 'Finished')));
					expect(kinds.size).toBe(sections.length);
				},
			),
			{numRuns: 100},
		);
	});
});

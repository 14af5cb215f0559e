import {describe, expect, test} from 'vitest';
import {insightsFor} from '../../source/dispatch/insights.ts';
import type {HiveEvent} from '../../source/domain/event.ts';
import {decodeTrace, encodeTrace} from '../../source/ledger/checkpoint.ts';
import {folded, item, later, planOf, say} from '../helpers/events.ts';

const note = (summary: string, taskId?: string): HiveEvent =>
	say('INSIGHT', {kind: 'context.note', summary, ...(taskId === undefined ? {} : {taskId})});
const feedback = (message: string, taskId: string): HiveEvent =>
	say('INSIGHT', {kind: 'human.feedback', message, taskId});
const planned = (...events: HiveEvent[]) => folded(planOf(item('a'), item('b')), ...events);

describe('a prompt has of what was said before', () => {
	test('the newest five on its task and on the trace as a whole, newest first, and nothing of other tasks', () => {
		const said = [1, 2, 3].flatMap(n => [note(`a${n}`, 'a'), note(`b${n}`, 'b'), note(`all${n}`)]);
		const lines = ['all3', 'a3', 'all2', 'a2', 'all1'].map(text => `Context: ${text}`);
		expect(insightsFor(planned(...said), 'a')).toEqual(lines);
		expect(insightsFor(planned(...said), '')).toEqual(
			['all3', 'all2', 'all1'].map(text => `Context: ${text}`),
		);
	});

	test("people's words on the task first, however old", () => {
		const said = [feedback('Shorter', 'a'), ...Array.from({length: 9}, (_, n) => note(`${n}`, 'a'))];
		expect(insightsFor(planned(...said), 'a').slice(0, 2)).toEqual([
			'Beekeeper feedback: Shorter',
			'Context: 8',
		]);
	});

	test('each line once, as of when it was said last', () => {
		const said = [note('one', 'a'), note('two', 'a'), note('one')];
		expect(insightsFor(planned(...said), 'a')).toEqual(['Context: one', 'Context: two']);
	});

	test('what was said on a task before it was planned', () => {
		expect(insightsFor(later(folded(note('early', 'a')), planOf(item('a'))), 'a')).toEqual([
			'Context: early',
		]);
	});

	test('the beginning of what is long', () => {
		expect(insightsFor(planned(note('x'.repeat(600), 'a')), 'a')).toEqual([`Context: ${'x'.repeat(500)}…`]);
	});

	test('who wrote a summary and how severe a review note is', () => {
		const said = [
			say('INSIGHT', {kind: 'run.summary', summary: 'Built', bee: 'builder', taskId: 'a'}),
			say('INSIGHT', {kind: 'review.note', summary: 'Slow', severity: 'high', taskId: 'a'}),
		];
		expect(insightsFor(planned(...said), 'a')).toEqual([
			'Review note (high): Slow',
			'Summary (builder): Built',
		]);
	});
});

test('a trace keeps no more notes than prompts show, however many are said, and its checkpoint has them', () => {
	const trace = planned(
		...Array.from({length: 50}, (_, n) => note(`${n}`, 'a')),
		...Array.from({length: 50}, (_, n) => feedback(`${n}`, 'a')),
	);
	expect(trace.notes.get('a')?.notes).toHaveLength(10);
	const read = decodeTrace(encodeTrace(trace));
	expect(read && insightsFor(read, 'a')).toEqual(insightsFor(trace, 'a'));
});

import {describe, expect, test} from 'vitest';
import {insightsFor} from '../../source/dispatch/insights.ts';
import type {HiveEvent} from '../../source/domain/event.ts';
import {decodeTrace, encodeTrace} from '../../source/ledger/checkpoint.ts';
import {createEvent, item, planOf, reduceAll, reduceLater} from '../helpers/events.ts';

const note = (summary: string, taskId?: string): HiveEvent =>
	createEvent('INSIGHT', {kind: 'context.note', summary, ...(taskId === undefined ? {} : {taskId})});
const feedback = (message: string, taskId: string): HiveEvent =>
	createEvent('INSIGHT', {kind: 'human.feedback', message, taskId});
const planned = (...events: HiveEvent[]) => reduceAll(planOf(item('a'), item('b')), ...events);

describe('the notes in a prompt', () => {
	test('are the newest five of its task and of the whole trace, newest first, and none of other tasks', () => {
		const said = [1, 2, 3].flatMap(n => [note(`a${n}`, 'a'), note(`b${n}`, 'b'), note(`all${n}`)]);
		const lines = ['all3', 'a3', 'all2', 'a2', 'all1'].map(text => `Context: ${text}`);
		expect(insightsFor(planned(...said), 'a')).toEqual(lines);
		expect(insightsFor(planned(...said), '')).toEqual(
			['all3', 'all2', 'all1'].map(text => `Context: ${text}`),
		);
	});

	test('begin with feedback of people on the task, however old', () => {
		const said = [feedback('Shorter', 'a'), ...Array.from({length: 9}, (_, n) => note(`${n}`, 'a'))];
		expect(insightsFor(planned(...said), 'a').slice(0, 2)).toEqual([
			'Beekeeper feedback: Shorter',
			'Context: 8',
		]);
	});

	test('contain each line once, at its latest position', () => {
		const said = [note('one', 'a'), note('two', 'a'), note('one')];
		expect(insightsFor(planned(...said), 'a')).toEqual(['Context: one', 'Context: two']);
	});

	test('include notes on a task from before it was planned', () => {
		expect(insightsFor(reduceLater(reduceAll(note('early', 'a')), planOf(item('a'))), 'a')).toEqual([
			'Context: early',
		]);
	});

	test('are truncated at 500 characters', () => {
		expect(insightsFor(planned(note('x'.repeat(600), 'a')), 'a')).toEqual([`Context: ${'x'.repeat(500)}…`]);
	});

	test('name the author of a summary and the severity of a review note', () => {
		const said = [
			createEvent('INSIGHT', {kind: 'run.summary', summary: 'Built', bee: 'builder', taskId: 'a'}),
			createEvent('INSIGHT', {kind: 'review.note', summary: 'Slow', severity: 'high', taskId: 'a'}),
		];
		expect(insightsFor(planned(...said), 'a')).toEqual([
			'Review note (high): Slow',
			'Summary (builder): Built',
		]);
	});
});

test('a trace keeps only as many notes as prompts show, and its checkpoint contains them', () => {
	const trace = planned(
		...Array.from({length: 50}, (_, n) => note(`${n}`, 'a')),
		...Array.from({length: 50}, (_, n) => feedback(`${n}`, 'a')),
	);
	expect(trace.notes.get('a')?.notes).toHaveLength(10);
	const read = decodeTrace(encodeTrace(trace));
	expect(read && insightsFor(read, 'a')).toEqual(insightsFor(trace, 'a'));
});

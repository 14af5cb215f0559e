import {expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {knownWork} from '../../source/ledger/rejections.ts';
import {claimOf, finishOf, item, planOf, reduceAll} from '../helpers/events.ts';

const tree = (letter: string): string => letter.repeat(40);

const runOf = (agentId: string, end: object, status = 'completed'): NewEvent[] => {
	const {payload, ...finished} = finishOf(agentId, status);
	return [
		claimOf(agentId, 'a', {workspace: 'isolated', bee: 'guard', trigger: 1}),
		{...finished, payload: {...payload, ...end}},
	];
};

const workAfter = (events: readonly NewEvent[], at?: string): string | undefined => {
	const trace = reduceAll(planOf({...item('_review'), review: 'final'}), planOf(item('a')), ...events);
	const gate = trace.tasks.get('_review');
	return gate && knownWork(trace, gate, at);
};

const change = (before: string, after: string) => ({trees: {before: tree(before), after: tree(after)}});

test('a run that ended well without known trees changed nothing', () => {
	expect(workAfter([...runOf('r', change('a', 'b')), ...runOf('g', {})])).toBe(tree('b'));
});

test('the work is unknown after a failed run without known trees', () => {
	expect(workAfter([...runOf('r', change('a', 'b')), ...runOf('g', {}, 'failed')])).toBeUndefined();
});

test('the work at a time is that of the runs that had ended', () => {
	const events = [...runOf('r', change('a', 'b')), ...runOf('g', {}), ...runOf('s', change('b', 'c'))];
	const ends = reduceAll(planOf(item('a')), planOf(item('a')), ...events).runs.get('g')?.finishedAt;
	expect(workAfter(events, ends)).toBe(tree('b'));
	expect(workAfter(events)).toBe(tree('c'));
});

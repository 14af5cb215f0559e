import {expect, it} from 'vitest';
import {claimOf, folded, item, later, planOf, readyOf, say, traceId} from '../helpers/events.ts';

/** Runs that begin traces from their own, that emit, and events that are left out. */
const limited = folded(
	say(
		'SIGNAL',
		{kind: 'feature.requested', title: 'Split it'},
		{energyBudget: 12, maxCost: 6, maxTokens: 900},
	),
	planOf(item('a')),
	readyOf('a'),
	claimOf('r1', 'a'),
);
const given = (fields: object) =>
	say(
		'SIGNAL',
		{kind: 'energy.consume', reason: 'trace.started', starts: 'other', ...fields},
		{agentId: 'runtime'},
	);

it('a trace gives honey and a share of its limits to one that its run begins', () => {
	const left = later(limited, given({amount: 3, cost: 1.5, tokens: 200}));
	expect(left).toMatchObject({energyRemaining: 8, maxCost: 4.5, maxTokens: 700});
	expect(later(left, given({amount: 9}))).toMatchObject({energyRemaining: 8});
	expect(later(left, given({amount: 1, cost: 5}))).toMatchObject({energyRemaining: 8, maxCost: 4.5});
	expect(later(left, given({amount: 1, tokens: 701}))).toMatchObject({energyRemaining: 8, maxTokens: 700});
});

it('what a run emits is counted', () => {
	const note = say('INSIGHT', {kind: 'context.note', summary: 'x'}, {agentId: 'r1'});
	const bytes = Buffer.byteLength(JSON.stringify(note.payload));
	expect(later(limited, note, note).runs.get('r1')?.emitted).toEqual({events: 2, bytes: 2 * bytes});
});

it('an event with a bad id changes nothing, and is a problem of the trace', () => {
	const left = later(limited, planOf(item('../../a')), readyOf('b/..'));
	expect(left.tasks.size).toBe(1);
	expect(left.problems.map(({message}) => message)).toEqual([
		'the taskId "../../a" is not an id',
		'the taskId "b/.." is not an id',
	]);
	expect(left.traceId).toBe(traceId);
});

import {expect, it} from 'vitest';
import {
	claimOf,
	createEvent,
	item,
	planOf,
	readyOf,
	reduceAll,
	reduceLater,
	traceId,
} from '../helpers/events.ts';

/** Runs that start traces with their own honey, emitted events, and ignored events. */
const limited = reduceAll(
	createEvent(
		'SIGNAL',
		{kind: 'feature.requested', title: 'Split it'},
		{energyBudget: 12, maxCost: 6, maxTokens: 900},
	),
	planOf(item('a')),
	readyOf('a'),
	claimOf('r1', 'a'),
);
const given = (fields: object) =>
	createEvent(
		'SIGNAL',
		{kind: 'energy.consume', reason: 'trace.started', starts: 'other', ...fields},
		{agentId: 'runtime'},
	);

it('a trace gives honey and a share of its limits to a trace that its run starts', () => {
	const left = reduceLater(limited, given({amount: 3, cost: 1.5, tokens: 200}));
	expect(left).toMatchObject({energyRemaining: 8, maxCost: 4.5, maxTokens: 700});
	expect(reduceLater(left, given({amount: 9}))).toMatchObject({energyRemaining: 8});
	expect(reduceLater(left, given({amount: 1, cost: 5}))).toMatchObject({energyRemaining: 8, maxCost: 4.5});
	expect(reduceLater(left, given({amount: 1, tokens: 701}))).toMatchObject({
		energyRemaining: 8,
		maxTokens: 700,
	});
});

it('the events that a run emits are counted', () => {
	const note = createEvent('INSIGHT', {kind: 'context.note', summary: 'x'}, {agentId: 'r1'});
	const bytes = Buffer.byteLength(JSON.stringify(note.payload));
	expect(reduceLater(limited, note, note).runs.get('r1')?.emitted).toEqual({events: 2, bytes: 2 * bytes});
});

it('an event with a bad id changes nothing, and is recorded as a problem of the trace', () => {
	const left = reduceLater(limited, planOf(item('../../a')), readyOf('b/..'));
	expect(left.tasks.size).toBe(1);
	expect(left.problems.map(({message}) => message)).toEqual([
		'the taskId "../../a" is not an id',
		'the taskId "b/.." is not an id',
	]);
	expect(left.traceId).toBe(traceId);
});

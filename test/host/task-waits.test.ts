import {describe, expect, it} from 'vitest';
import {waitFacts} from '../../source/host/task-waits.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {claimOf, folded, item, planOf, taskOf, traceId} from '../helpers/events.ts';

const script = 'adapter: script\ncommand: [sh]\n';
const writer = 'publishes: [{type: MUTATION, kind: code.proposal.isolated}]\n';
const colony = await colonyFrom({
	'colony.yaml': 'slug: shop\ndefaults: {max_parallel_runs: 2}\nsectors: {web: web}\n',
	'bees/builder.yaml': `${script}worktree: true\n${writer}`,
	'bees/reader.yaml': `${script}worktree: true\n`,
	'bees/closer.yaml': `${script}subscribes: [{type: SIGNAL, kind: go}]\npublishes: [{type: VERIFICATION, kind: task.completed}]\n`,
});

/** The facts for task `a` of a trace in which one run of a bee is open, beside an open run of another trace. */
const facts = (bee: string, task: object = {}, runOf = 'builder') => {
	const trace = folded(planOf({...item('a'), bee, ...task}), claimOf('run1', 'x', {bee: runOf, trigger: 1}));
	const other = {...folded(planOf(item('b')), claimOf('run2', 'b')), traceId: 'other'};
	return waitFacts(trace, taskOf(trace, 'a'), [trace, other], {colony, place: 'here'}, true);
};

describe('what a waiting task is told of this machine', () => {
	it('names the writer in its own worktree, and nobody of another trace', () => {
		expect(facts('reader').holders.map(run => `${run.traceId} ${run.agentId}`)).toEqual([`${traceId} run1`]);
	});

	it('lets readers share, but keeps a writer out while one reads', () => {
		expect(facts('reader', {}, 'reader').holders).toEqual([]);
		expect(facts('builder', {}, 'reader').holders).toHaveLength(1);
	});

	it('counts the places that open runs of every trace take, and the honey left', () => {
		expect(facts('builder')).toMatchObject({
			freePlaces: 0,
			honey: 11,
			reactor: 'here',
			receivers: ['closer'],
		});
	});

	it.each([
		['nobody', {}, 'a bee "nobody", which is not there'],
		['closer', {}, 'another bee: "closer" does not take tasks'],
		['builder', {sector: 'wbe'}, 'the sector "wbe", which is not there'],
		['builder', {sector: 'web'}, undefined],
	])('says why %s cannot take it: %o', (bee, task, expected) => {
		expect(facts(bee, task).problem).toBe(expected);
	});
});

import {describe, expect, it} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import type {Reason} from '../../source/domain/reason.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {readDecisions} from '../../source/host/review/decisions.ts';
import {openLedger} from '../../source/ledger/ledger.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {claimOf, finishOf, item, planOf, proposalOf, taskOf, traceId} from '../helpers/events.ts';
import {createManualClock} from '../reactor/rig.ts';

const script = 'adapter: script\ncommand: [sh]\n';
const writer = 'publishes: [{type: MUTATION, kind: code.proposal.isolated}]\n';
const colony = await colonyFrom({
	'colony.yaml': 'slug: shop\ndefaults: {max_parallel_runs: 2}\nsectors: {web: web}\n',
	'bees/builder.yaml': `${script}worktree: true\n${writer}`,
	'bees/reader.yaml': `${script}worktree: true\n`,
	'bees/guard.yaml': `${script}worktree: true\nsubscribes: [{type: MUTATION, kind: code.proposal.isolated, dispatch: direct}]\n`,
});

/** Returns the decisions of a command on a log that no reactor has read. */
const decisionsOn = async (events: readonly NewEvent[]) => {
	const clock = createManualClock();
	const bus = createMemoryBus({clock});
	for (const [index, event] of events.entries()) await bus.append(event, {id: `event-${index}`});
	const ledger = await openLedger(bus);
	const decisions = await readDecisions({bus, clock, colony, checkout: 'here'}, ledger);
	return {decisions, trace: ledger.snapshot(traceId)};
};

/** Returns why task `a` waits while one run of its trace and one of another trace are open. */
const reasons = async (bee: string, runOf = 'builder'): Promise<readonly Reason[]> => {
	const other = [planOf(item('b')), claimOf('run2', 'b')].map(event => ({...event, traceId: 'other'}));
	const {decisions, trace} = await decisionsOn([
		planOf({...item('a'), bee}),
		claimOf('run1', 'x', {bee: runOf, trigger: 1}),
		...other,
	]);
	return decisions.of(trace).waits.task(taskOf(trace, 'a'));
};

const occupied = {for: 'workspace', traceId, agentId: 'run1'} as const;
const full = {for: 'slot', taken: 2, total: 2} as const;

describe('the decisions of a command beside the reactor', () => {
	it('name the writer in the same worktree, and no run of another trace', async () => {
		expect(await reasons('reader')).toEqual([{...occupied, bee: 'builder'}, full]);
	});

	it('let readers share a workspace, but exclude a writer while one reads', async () => {
		expect(await reasons('reader', 'reader')).toEqual([full]);
		expect(await reasons('builder', 'reader')).toEqual([{...occupied, bee: 'reader'}, full]);
	});

	it('include requested runs that no reactor has considered, and whether they wait for honey', async () => {
		const proposed = (energyBudget: number) => [
			{...planOf(item('a')), energyBudget},
			claimOf('run1', 'a'),
			proposalOf('run1', 'a'),
			finishOf('run1'),
		];
		const poor = await decisionsOn(proposed(1));
		const {waits} = poor.decisions.of(poor.trace);
		expect(waits.runs()).toMatchObject([
			{run: {bee: 'guard', trigger: 3, taskId: 'a'}, reasons: [{for: 'honey', lacks: 'honey'}]},
		]);
		expect([...poor.decisions.held()]).toEqual([[traceId, 'honey']]);
		const rich = await decisionsOn(proposed(2));
		expect([...rich.decisions.held()]).toEqual([]);
	});
});

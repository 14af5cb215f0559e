import {expect, it} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import type {Review} from '../../source/domain/task.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {watchWork} from '../../source/host/watch-work.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {claimOf, finishOf, item, planOf, proposalOf, say, statusOf} from '../helpers/events.ts';
import {createManualClock} from '../reactor/rig.ts';

const colony = await colonyFrom({
	'bees/guard.yaml':
		'adapter: script\ncommand: [sh]\nsubscribes: [{type: MUTATION, kind: code.proposal.isolated, dispatch: direct}]\n',
});

/** The exit code of `run --until-idle` in a colony whose bee has proposed, and where this happened since. */
const exitAfter = async (review: Review, energyBudget: number, ...since: readonly NewEvent[]) => {
	const clock = createManualClock();
	const bus = createMemoryBus({clock});
	const proposed = [
		{...planOf({...item('a'), review}), energyBudget},
		claimOf('run1', 'a'),
		proposalOf('run1', 'a'),
		finishOf('run1'),
	];
	for (const [index, event] of [...proposed, ...since].entries())
		await bus.append(event, {id: `event-${index}`});
	const context = {bus, clock, colony, checkout: 'here'} as unknown as ActionContext;
	return (await watchWork(context)).exitCode(undefined);
};

const guard = claimOf('guard1', 'a', {bee: 'guard', trigger: 3, place: 'there'});
const left = say('SIGNAL', {kind: 'task.status', taskId: 'a', status: 'waiting_review', unattended: true});

it('an idle colony awaits a person for a review, and at a commit gate that no bee will look at any more', async () => {
	expect(await exitAfter('required', 9, guard, finishOf('guard1'), statusOf('a', 'waiting_review'))).toBe(8);
	expect(await exitAfter('none', 9, guard, finishOf('guard1'), left)).toBe(8);
});

it('an idle colony awaits nobody while a bee has still to look, and honey where that has none', async () => {
	expect(await exitAfter('required', 9, guard)).toBe(0);
	expect(await exitAfter('none', 9, statusOf('a', 'waiting_review'), guard)).toBe(0);
	expect(await exitAfter('none', 1, statusOf('a', 'waiting_review'))).toBe(7);
});

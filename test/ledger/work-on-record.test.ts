import {describe, expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {awaitsBranch} from '../../source/ledger/final-gate.ts';
import {workOnRecord} from '../../source/ledger/work-on-record.ts';
import {
	claimOf,
	completedOf,
	finishOf,
	item,
	planOf,
	proposalOf,
	reduceAll,
	statusOf,
} from '../helpers/events.ts';

const worktree = {workspace: 'isolated', trigger: 1};
const gate = {...item('gate'), review: 'final'} as const;
const taken = [planOf(gate), statusOf('gate', 'waiting_review'), completedOf('gate')];

/** A run with recorded trees. Each letter names a tree; without letters none are recorded. */
const run = (agentId: string, trees = '', where: object = worktree): NewEvent[] => {
	const {payload, ...rest} = finishOf(agentId);
	const [before = '', after = ''] = trees;
	const said = trees && {trees: {before: before.repeat(40), after: after.repeat(40)}};
	return [claimOf(agentId, 'a', where), {...rest, payload: {...payload, ...Object(said)}}];
};
const known = (...events: NewEvent[]) => workOnRecord(reduceAll(planOf(item('a')), ...events));

describe('the log knows that there is nothing to merge', () => {
	test.each([
		['when nobody ran', []],
		['when all ran in the root', [...run('r1', 'ab', {workspace: 'root', trigger: 1})]],
		['when each run left the worktree as it found it', [...run('r1', 'aa'), ...run('r2', 'aa')]],
		['when the last run took back what the first did', [...run('r1', 'ab'), ...run('r2', 'ba')]],
		['when a gate was passed and no run ever changed anything', [...run('r1', 'aa'), ...taken]],
	])('%s', (_, events) => expect(known(...events)).toBe('none'));
});

test('the log knows of work to merge when a run changed the worktree and no gate was passed', () => {
	expect(known(...run('r1', 'aa'), ...run('r2', 'ab'))).toBe('some');
});

describe('the log does not know whether there is work to merge', () => {
	test.each([
		['when a run has no trees on record', [...run('r1', 'aa'), ...run('r2')]],
		['when the log does not say where a run worked', run('r1', 'aa', {trigger: 1})],
		['when somebody changed the worktree between two runs', [...run('r1', 'aa'), ...run('r2', 'bb')]],
		['when runs overlapped', [...run('r1', 'ab'), ...run('r2', 'ab')]],
		['when a gate took what was changed', [...run('r1', 'ab'), ...taken]],
		[
			'when a gate took a change that was taken back since',
			[...run('r1', 'ab'), ...taken, ...run('r2', 'ba')],
		],
	])('%s', (_, events) => expect(known(...events)).toBe('unknown'));
});

describe('git is queried for work on the branch', () => {
	const at = (...events: NewEvent[]) =>
		awaitsBranch(reduceAll(planOf(item('a')), ...events, completedOf('a')));

	test('only where the log does not know', () => {
		expect(at(...run('r1'))).toBe(true);
		expect(at(...run('r1', 'aa'))).toBe(false);
		expect(at(...run('r1', 'ab'))).toBe(false);
	});

	test('but not for proposed work, which gets a gate in any case', () => {
		expect(at(...run('r1'), proposalOf('r1', 'a'))).toBe(false);
	});

	test('but not where no answer would open a gate', () => {
		const cancelled = reduceAll(planOf(item('a')), ...run('r1'), statusOf('a', 'cancelled'));
		expect(awaitsBranch(cancelled)).toBe(false);
	});
});

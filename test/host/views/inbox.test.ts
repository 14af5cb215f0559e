import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {NewEvent} from '../../../source/domain/event.ts';
import {emptyTrace, type Trace} from '../../../source/domain/trace.ts';
import {
	formatInboxCounts,
	type InboxEntry,
	type InboxFacts,
	inboxOf,
} from '../../../source/host/views/inbox.ts';
import {taskStatusLabel} from '../../../source/host/views/task.ts';
import {applyEvents} from '../../../source/ledger/reduce.ts';
import {
	addOf,
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	killOf,
	planOf,
	proposalOf,
	readyOf,
	reduceAll,
	reduceLater,
	statusOf,
	stored,
	taskOf,
	traceId,
} from '../../helpers/events.ts';

const of = (trace: Trace, facts: InboxFacts = {}): readonly InboxEntry[] => inboxOf([trace], facts);

const invited = (inviteId: string): NewEvent =>
	createEvent('SIGNAL', {
		kind: 'session.invite',
		inviteId,
		bee: 'griller',
		task: 'Which colour?\nOr none?',
		status: 'pending',
	});
const landingOf = (kind: 'landing.requested' | 'landing.left', fields: object = {}): NewEvent =>
	createEvent('SIGNAL', {
		...{kind, taskId: 'a', tree: 'f'.repeat(40), work: 'a'.repeat(40), base: 'main'},
		...{by: 'cli', strategy: 'merge', ...fields},
	});
const reviewed = (review: 'required' | 'final' | 'none') => ({...item('a'), review}) as const;
const left = createEvent('SIGNAL', {
	kind: 'task.status',
	taskId: 'a',
	status: 'waiting_review',
	unattended: true,
});
const worked = [claimOf('run-1', 'a'), proposalOf('run-1', 'a'), finishOf('run-1')];
const until = '2026-01-01T15:00:00.000Z';

/** For each cause: the events that begin it, the events that end it, and its entry. */
const stories: Readonly<
	Record<string, {begins: readonly NewEvent[]; ends: readonly NewEvent[]; entry: Partial<InboxEntry>}>
> = {
	'a review': {
		begins: [planOf(reviewed('required')), ...worked, statusOf('a', 'waiting_review')],
		ends: [completedOf('a')],
		entry: {kind: 'review', category: 'review_required', taskId: 'a', title: 'Title of a'},
	},
	'a gate': {
		begins: [planOf({...item('_review'), review: 'final'}), statusOf('_review', 'waiting_review')],
		ends: [planOf(item('b')), statusOf('_review', 'planned'), completedOf('_review')],
		entry: {kind: 'review', category: 'review_final', taskId: '_review'},
	},
	'a commit that no bee makes': {
		begins: [planOf(reviewed('none')), ...worked, statusOf('a', 'waiting_review'), left],
		ends: [createEvent('INSIGHT', {kind: 'human.feedback', taskId: 'a', message: 'again'})],
		entry: {kind: 'review', category: 'commit_gate', actions: ['proposal.approve', 'task.retry']},
	},
	'a failed task': {
		begins: [
			planOf(item('a')),
			claimOf('run-1', 'a'),
			finishOf('run-1', 'failed', 'no disk'),
			statusOf('a', 'failed', 'no disk', 'run-1'),
		],
		ends: [readyOf('a')],
		entry: {kind: 'failed', taskId: 'a', sentence: 'It failed: no disk'},
	},
	'a request whose planning failed': {
		begins: [
			createEvent('SIGNAL', {kind: 'feature.requested', title: 'Dark mode'}, {energyBudget: 12}),
			claimOf('run-1', '', {taskId: undefined, trigger: 1}),
			finishOf('run-1', 'failed', 'no plan'),
		],
		ends: [planOf(item('a'))],
		entry: {kind: 'failed', agentId: 'run-1', title: 'Dark mode', actions: ['bee.retry', 'kill']},
	},
	'honey that ran out': {
		begins: [
			createEvent('INSIGHT', {kind: 'task.plan', tasks: [item('a'), item('b')]}, {energyBudget: 1}),
			claimOf('run-1', 'a'),
			finishOf('run-1'),
			completedOf('a'),
			statusOf('b', 'blocked', 'Honey reserve exhausted'),
		],
		ends: [addOf(5)],
		entry: {kind: 'blocked', actions: ['energy.add', 'kill']},
	},
	'a limit of a tool': {
		begins: [
			planOf(item('a')),
			claimOf('run-1', 'a'),
			createEvent('SIGNAL', {
				kind: 'run.finished',
				agentId: 'run-1',
				bee: 'builder',
				status: 'failed',
				exitCode: 1,
				summary: 'limit',
				pausedUntil: until,
			}),
			createEvent('SIGNAL', {
				kind: 'task.status',
				taskId: 'a',
				status: 'blocked',
				summary: 'limit',
				agentId: 'run-1',
				until,
			}),
		],
		ends: [readyOf('a')],
		entry: {kind: 'paused', taskId: 'a', key: `paused:${traceId}/@${until}`},
	},
	'an invite': {
		begins: [invited('talk')],
		ends: [createEvent('SIGNAL', {kind: 'session.invite', inviteId: 'talk', status: 'cancelled'})],
		entry: {kind: 'invite', inviteId: 'talk', title: 'Which colour?'},
	},
};

describe('the inbox', () => {
	it.each(Object.entries(stories))('has one entry for %s, until that ends', (_, {begins, ends, entry}) => {
		const begun = reduceAll(...begins);
		expect(of(begun)).toHaveLength(1);
		expect(of(begun)[0]).toMatchObject({traceId, ...entry});
		expect(of(reduceLater(begun, ...ends))).toEqual([]);
		expect(of(reduceLater(begun, killOf()))).toEqual([]);
	});

	it('has one entry for each configuration problem, and for a bee that cannot run', () => {
		const problems = [{path: 'bees/a.yaml', message: 'no adapter'}];
		expect(inboxOf([], {problems})).toMatchObject([
			{kind: 'configuration', title: 'bees/a.yaml', actions: []},
		]);
		const held = new Map([[traceId, 'configuration' as const]]);
		expect(of(reduceAll(planOf(item('a'))), {held})).toMatchObject([{kind: 'configuration', traceId}]);
	});

	it('has a conflict instead of the review of a gate that cannot be merged', () => {
		const trace = reduceAll(...(stories['a gate']?.begins ?? []));
		const conflicts = new Map([[traceId, {work: 'c1', paths: ['a.ts', 'b.ts']}]]);
		expect(of(trace, {conflicts})).toMatchObject([
			{
				kind: 'conflict',
				taskId: '_review',
				sentence: 'Its work conflicts with its base in a.ts and 1 more.',
				actions: ['proposal.update', 'proposal.reject'],
			},
		]);
	});

	it('has a new cause when other work conflicts at the gate, but not when only the base moves', () => {
		const trace = reduceAll(...(stories['a gate']?.begins ?? []));
		const keyOf = (work: string, ...paths: string[]) =>
			of(trace, {conflicts: new Map([[traceId, {work, paths}]])})[0]?.key;
		expect(keyOf('c1', 'a.ts')).toBe(keyOf('c1', 'b.ts'));
		expect(keyOf('c1', 'a.ts')).not.toBe(keyOf('c2', 'a.ts'));
	});

	it('has no gate while a guard still checks work that it would merge', () => {
		const trace = reduceAll(
			planOf(item('a'), {...item('_review'), review: 'final'}),
			...worked,
			completedOf('a'),
			statusOf('_review', 'waiting_review'),
		);
		expect(of(trace).map(({kind}) => kind)).toEqual(['review']);
		const looked = reduceLater(trace, claimOf('guard-1', 'a', {trigger: 3, bee: 'guard'}));
		expect(of(looked)).toEqual([]);
		expect(taskStatusLabel(looked, taskOf(looked, '_review'))).toBe('guard running');
		expect(of(reduceLater(looked, finishOf('guard-1'))).map(({kind}) => kind)).toEqual(['review']);
	});

	it('has one entry for all tasks that wait for honey', () => {
		const short = reduceAll(
			createEvent(
				'INSIGHT',
				{kind: 'task.plan', tasks: [item('z'), item('a', 'z'), item('b', 'z')]},
				{energyBudget: 1},
			),
			claimOf('run-1', 'z'),
			finishOf('run-1'),
			completedOf('z'),
			statusOf('a', 'blocked'),
			statusOf('b', 'blocked'),
		);
		expect(of(short).map(({kind}) => kind)).toEqual(['blocked']);
	});

	it('has a new key for a cause that comes again', () => {
		const {begins = []} = stories['a review'] ?? {};
		const first = reduceAll(...begins);
		const again = reduceLater(
			first,
			createEvent('INSIGHT', {kind: 'human.feedback', taskId: 'a', message: 'again'}),
			claimOf('run-2', 'a'),
			proposalOf('run-2', 'a'),
			finishOf('run-2'),
			statusOf('a', 'waiting_review'),
		);
		expect(of(again)).toHaveLength(1);
		expect(of(again)[0]?.key).not.toBe(of(first)[0]?.key);
	});

	it('begins with the most urgent kind, and is counted by kind', () => {
		const {begins = []} = stories['a review'] ?? {};
		const entries = of(reduceLater(reduceAll(...begins), invited('talk'), invited('more')), {
			problems: [{path: 'x', message: 'y'}],
		});
		expect(entries.map(({kind}) => kind)).toEqual(['invite', 'invite', 'review', 'configuration']);
		expect(formatInboxCounts(entries)).toBe('2 invites, 1 review, 1 configuration');
	});

	it('has at most one entry per cause, for any events in any order', () => {
		const said = Object.values(stories).flatMap(({begins, ends}) => [...begins, ...ends]);
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...said), {maxLength: 40}), events => {
				const all = stored(events);
				let trace = emptyTrace(traceId);
				for (const event of all) {
					({trace} = applyEvents(trace, [event]));
					const entries = of(trace);
					const subjects = entries.map(({kind, taskId = '', inviteId = '', agentId = ''}) =>
						[kind === 'conflict' ? 'review' : kind, taskId, inviteId, agentId].join('/'),
					);
					expect(new Set(subjects).size).toBe(entries.length);
					expect(new Set(entries.map(({key}) => key)).size).toBe(entries.length);
				}
				// A fold of all events at once, as after a restart, gives the same causes.
				expect(of(applyEvents(emptyTrace(traceId), all).trace)).toEqual(of(trace));
			}),
		);
	});
});

describe('an approved merge', () => {
	const atGate = [planOf(reviewed('final')), statusOf('a', 'waiting_review')];
	const reason = 'The checks failed on the merge with main: npm test (exit 1)';
	const left = landingOf('landing.left', {reason});

	it('needs no person while it is landing', () => {
		expect(of(reduceAll(...atGate))).toHaveLength(1);
		expect(of(reduceAll(...atGate, landingOf('landing.requested')))).toEqual([]);
	});

	it('that did not land is a new cause each time, and says why', () => {
		const [before] = of(reduceAll(...atGate));
		const once = reduceAll(...atGate, landingOf('landing.requested'), left);
		const twice = reduceLater(once, landingOf('landing.requested'), left);
		const found = [once, twice].flatMap(trace => of(trace));
		expect(found).toMatchObject(
			[1, 2].map(() => ({
				kind: 'review',
				sentence: `It did not land. ${reason}.`,
			})),
		);
		expect(new Set([before, ...found].map(entry => entry?.key)).size).toBe(3);
	});
});

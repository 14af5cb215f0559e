import {describe, expect, test} from 'vitest';
import {openRuns, type Trace} from '../../source/domain/trace.ts';
import {type Ahead, decideAhead} from '../../source/reactor/decide-ahead.ts';
import {countedFacts, type Machine} from '../../source/reactor/machine.ts';
import {createOccupancy} from '../../source/reactor/occupancy.ts';
import {directRunsFor} from '../../source/reactor/subscribers.ts';
import {
	announcedOf,
	claimOf,
	finishOf,
	item,
	planOf,
	reduceAll,
	reduceLater,
	statusOf,
	traceId,
} from '../helpers/events.ts';
import {answerOf, inviteOf, requestOf} from '../helpers/invites.ts';
import {bee, builder, colonyOf, direct, machineOf, pendingInvite, pendingRun, scout} from './scene.ts';

/** Returns what one turn appends for the trace, on a machine with two free slots. */
const ahead = (trace: Trace, given: Partial<Machine> = {}): Ahead => {
	const colony = colonyOf([builder, scout], {maxParallelRuns: 2});
	const occupancy = createOccupancy('here');
	let drawn = 0;
	const countedWith = (now: Trace) => {
		occupancy.reserve(now, colony);
		return countedFacts({checkout: 'here', colony, occupancy});
	};
	const machine = {...machineOf(), ...given};
	return decideAhead(trace, {colony, machine, countedWith, createRunId: () => `drawn-${++drawn}`});
};

const wordsOf = ({events: said}: Ahead): string[] =>
	said.map(({event: {payload}}) =>
		[payload.kind, payload.taskId, payload.status].filter(part => part !== undefined).join(' '),
	);

const read = (id: string, ...needs: string[]) => ({...item(id, ...needs), bee: 'scout'});

describe('the batch of events that one turn decides for a trace', () => {
	test('takes a task from its plan to a run that has to begin', () => {
		const decided = ahead(reduceAll(planOf(read('a'))));
		expect(wordsOf(decided)).toEqual([
			'task.ready a',
			'task.status a ready',
			'energy.consume a',
			'task.status a running',
		]);
		expect(decided.claims).toEqual(['drawn-1']);
		expect(openRuns(decided.trace)).toMatchObject([{agentId: 'drawn-1', taskId: 'a', announced: true}]);
	});

	test('continues with the next task after one has ended', () => {
		const trace = reduceAll(
			planOf(read('a'), read('b')),
			...announcedOf('a'),
			claimOf('r1', 'a', {bee: 'scout'}),
			statusOf('a', 'running', '', 'r1'),
			finishOf('r1'),
		);
		expect(wordsOf(ahead(trace))).toEqual([
			'task.completed a completed',
			'task.ready b',
			'task.status b ready',
			'energy.consume b',
			'task.status b running',
		]);
	});

	test('invites once if two events ask for the same invite', () => {
		const alike = ['i', 'j'].map(id => pendingInvite(id, {dedupe: ['bee']}));
		const other = pendingInvite('k', {bee: 'other', dedupe: ['bee']});
		const decided = ahead(reduceAll(planOf(read('a'))), {invites: [...alike, other], checkout: 'here'});
		const invited = decided.events.flatMap(({event: {payload}}) => payload.inviteId ?? []);
		expect(invited).toEqual(['i', 'k']);
	});

	test('reports that the configuration lacks the bee of an invite', () => {
		const asked = reduceAll(planOf(read('a')), inviteOf('i'), answerOf('i', 'accept'), requestOf('i'));
		const decided = ahead(asked, {pending: [pendingRun('session.requested', 'drone', {trigger: 4})]});
		expect(decided.lacksConfiguration).toBe(true);
		expect(ahead(asked).lacksConfiguration).toBe(false);
	});

	test('claims no more runs than there are free slots', () => {
		const many = reduceAll(
			planOf(read('first'), ...['a', 'b', 'c'].map(id => read(id, 'first'))),
			...announcedOf('first'),
			claimOf('r1', 'first', {bee: 'scout'}),
			statusOf('first', 'running', '', 'r1'),
			finishOf('r1'),
		);
		const decided = ahead(many);
		expect(decided.claims).toEqual(['drawn-1', 'drawn-2']);
		expect(wordsOf(decided).filter(words => words.startsWith('task.ready'))).toHaveLength(3);
	});

	test('asks for no direct run, because a direct run answers a sequence that only the log assigns', () => {
		const rules = [{type: 'SIGNAL'}, {type: 'INSIGHT'}, {type: 'VERIFICATION'}] as const;
		const curious = bee('curious', {subscribes: rules.map(direct)});
		const colony = colonyOf([builder, scout, curious]);
		const trace = reduceAll(
			planOf(read('a'), read('b')),
			...announcedOf('a'),
			claimOf('r1', 'a', {bee: 'scout'}),
		);
		const {events: said, trace: after} = ahead(reduceLater(trace, finishOf('r1')));
		expect(said.length).toBeGreaterThan(4);
		for (const {event, id} of said)
			expect(directRunsFor({...event, id, sequence: after.sequence, at: ''}, after, colony)).toEqual([]);
	});

	test('derives event ids from the sequence that was read, so a repeated decision is logged once', () => {
		const trace = reduceAll(planOf(read('a')));
		const [first, second] = ahead(trace).events;
		expect([first?.id, second?.id]).toEqual([
			`${traceId}/runtime/${trace.sequence}/a/task.ready`,
			`${traceId}/runtime/${trace.sequence}/a/ready`,
		]);
		const noted = reduceLater(trace, {
			traceId,
			type: 'INSIGHT',
			payload: {kind: 'context.note', summary: 'hm'},
		});
		expect(ahead(noted).events[0]?.id).not.toBe(first?.id);
	});

	test('does not drop a run that its own claim answers until the claim is in the log', () => {
		const asked = pendingRun('feature.requested', 'scout', {trigger: 1});
		const decided = ahead(reduceAll(planOf(read('a'))), {pending: [asked]});
		expect(decided.claims).toHaveLength(2);
		expect(decided.effects).toEqual([]);
	});

	test('has a maximum size, however many tasks become ready at once', () => {
		const dependants = Array.from({length: 600}, (_, index) => read(`t${index}`, 'first'));
		const trace = reduceAll(
			planOf(read('first'), ...dependants),
			...announcedOf('first'),
			claimOf('r1', 'first', {bee: 'scout'}),
			statusOf('first', 'running', '', 'r1'),
			finishOf('r1'),
		);
		expect(ahead(trace).events).toHaveLength(500);
	});

	test('is empty if nothing is due', () => {
		const trace = reduceAll(planOf(read('a')), ...announcedOf('a'), claimOf('r1', 'a', {bee: 'scout'}));
		const running = reduceLater(trace, statusOf('a', 'running', '', 'r1'));
		expect(ahead(running)).toMatchObject({events: [], effects: [], claims: []});
	});
});

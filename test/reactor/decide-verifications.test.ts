import {describe, expect, test} from 'vitest';
import type {Colony} from '../../source/colony/colony.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import {decide} from '../../source/reactor/decide.ts';
import {directRunsFor} from '../../source/reactor/subscribers.ts';
import {
	announcedOf,
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	planOf,
	reduceAll,
	reduceLater,
	statusOf,
	taskOf,
	wholeProposal,
} from '../helpers/events.ts';
import {
	bee,
	builder,
	colonyOf,
	completion,
	direct,
	type Given,
	isolated,
	machineOf,
	pendingRun,
} from './scene.ts';

const propose = (trace: Trace, agentId: string, verification: string): Trace =>
	applyEvents(trace, [wholeProposal(trace, agentId, verification)]).trace;

const plain = colonyOf([builder]);
const receiver = bee('receiver', {worktree: true, subscribes: [direct(isolated)], publishes: [completion]});
const received = colonyOf([builder, receiver]);

const begunAs = (review: 'none' | 'required') =>
	reduceAll(planOf({...item('a'), review}), ...announcedOf('a'), claimOf('r1', 'a', {workspace: 'isolated'}));
const proposedAs = (verification: string, review: 'none' | 'required' = 'none') =>
	reduceLater(propose(begunAs(review), 'r1', verification), finishOf('r1', 'completed', 'well'));
const sequence = (trace: Trace): number => taskOf(trace, 'a').proposal?.sequence ?? 0;
const asked = (trace: Trace) =>
	pendingRun('code.proposal.isolated', 'hive.verify', {
		...{trigger: sequence(trace), taskId: 'a', verifies: 'builder', author: 'r1'},
	});
const claimed = (trace: Trace): NewEvent =>
	claimOf('v1', 'a', {bee: 'hive.verify', trigger: sequence(trace), verifies: 'builder'});
const ended = (status: string): NewEvent =>
	createEvent('SIGNAL', {
		...{kind: 'run.finished', agentId: 'v1', bee: 'hive.verify', taskId: 'a', status, exitCode: 1},
		...{summary: 'make (exit 1)', evidence: {ran: true, output: ''}},
	});

const payloads = (trace: Trace, given: Given = {}, colony: Colony = plain) =>
	decide(trace, colony, machineOf(given)).steps.map(step =>
		step.do === 'append' ? step.event.payload : step,
	);

const summary = 'Verify failed: make (exit 1). well';

describe('a proposal that is to be verified', () => {
	test('is verified before any bee receives it, and an unverified proposal goes to the bees directly', () => {
		const begun = begunAs('none');
		for (const [verification, bees] of [
			['optional', ['hive.verify', 'receiver']],
			['', ['receiver']],
		] as const) {
			const event = wholeProposal(begun, 'r1', verification);
			const runs = directRunsFor(event, applyEvents(begun, [event]).trace, received);
			expect(runs.map(({bee: role}) => role)).toEqual(bees);
		}
	});

	test('is not verified if the agent emitted it itself, because its files are unknown', () => {
		const proposed = proposedAs('required');
		const event = {...wholeProposal(proposed, 'r1', 'none'), id: 'event-of-an-agent'};
		const trace = applyEvents(proposed, [event]).trace;
		expect(taskOf(trace, 'a').proposal?.verification).toBe('required');
		expect(directRunsFor(event, trace, received).map(({bee: role}) => role)).toEqual(['receiver']);
	});

	test('is verified after its run ends, without honey and beside other runs, if a slot is free', () => {
		const early = propose(begunAs('none'), 'r1', 'optional');
		expect(payloads(early, {pending: [asked(early)]})).not.toContainEqual(
			expect.objectContaining({verifies: 'builder'}),
		);
		const trace = {...proposedAs('optional'), energyRemaining: 0};
		const claim = {
			do: 'claim',
			bee: 'hive.verify',
			verifies: 'builder',
			trigger: sequence(trace),
			taskId: 'a',
		};
		const given = {pending: [asked(trace)], root: {writers: 1, readers: 0}};
		expect(payloads(trace, given)).toContainEqual({...claim, reason: 'proposal.verify'});
		expect(payloads(trace, {...given, freeSlots: 0})).not.toContainEqual(expect.objectContaining(claim));
	});

	test('is not verified once a newer proposal exists, and a running verification of it is stopped', () => {
		const first = proposedAs('optional');
		const again = reduceLater(
			first,
			claimed(first),
			statusOf('a', 'waiting_review'),
			statusOf('a', 'ready'),
			claimOf('r2', 'a'),
		);
		const newer = propose(again, 'r2', 'optional');
		expect(payloads(newer, {pending: [asked(first)]})).toContainEqual({
			do: 'drop',
			trigger: sequence(first),
			bee: 'hive.verify',
		});
		expect(payloads(newer, {runs: new Map([['v1', 'alive']])})).toContainEqual(
			expect.objectContaining({do: 'stop', reason: 'superseded by a newer proposal'}),
		);
	});
});

describe('a task whose verification is required', () => {
	const trace = proposedAs('required');
	const waiting = reduceLater(trace, claimed(trace), statusOf('a', 'waiting_review', 'well'));

	test('waits for the verification, and the runtime completes it after a pass', () => {
		expect(payloads(trace, {pending: [asked(trace)], freeSlots: 0})).toContainEqual(
			expect.objectContaining({kind: 'task.status', status: 'waiting_review', summary: 'well'}),
		);
		expect(payloads(waiting)).toEqual([]);
		expect(payloads(reduceLater(waiting, ended('completed')))).toContainEqual(
			expect.objectContaining({kind: 'task.completed', summary: 'well'}),
		);
	});

	test('waits for a person if the verification failed or no verification is possible any more', () => {
		expect(payloads(reduceLater(waiting, ended('failed')))).toEqual([
			{kind: 'task.status', taskId: 'a', status: 'waiting_review', summary, unattended: true},
		]);
		expect(payloads(reduceLater(waiting, ended('cancelled')))).toEqual([
			{
				kind: 'task.status',
				taskId: 'a',
				status: 'waiting_review',
				summary: 'Not verified. well',
				unattended: true,
			},
		]);
	});

	test('is left to its receiver, which starts only after the verification passes', () => {
		const toReceive = pendingRun('code.proposal.isolated', 'receiver', {
			trigger: sequence(trace),
			taskId: 'a',
		});
		const bees = (now: Trace) =>
			payloads(now, {pending: [toReceive]}, received).filter(step => 'do' in step && step.do === 'claim');
		expect(bees(waiting)).toEqual([]);
		const passed = reduceLater(waiting, ended('completed'));
		expect(bees(passed)).toMatchObject([{bee: 'receiver'}]);
		expect(payloads(passed, {pending: [toReceive]}, received)).not.toContainEqual(
			expect.objectContaining({kind: 'task.completed'}),
		);
	});

	test('is not completed by its run before the verification passes', () => {
		const said = reduceLater(
			propose(reduceLater(begunAs('none'), completedOf('a', {agentId: 'r1'})), 'r1', 'required'),
			finishOf('r1'),
		);
		expect(taskOf(said, 'a').status).toBe('running');
		expect(payloads(reduceLater(said, claimed(said)))).toContainEqual(
			expect.objectContaining({kind: 'task.status', status: 'waiting_review'}),
		);
	});
});

test('a task with an optional verification is completed at once, and stays completed if the verification fails', () => {
	const trace = proposedAs('optional');
	expect(payloads(trace, {pending: [asked(trace)], freeSlots: 0})).toContainEqual(
		expect.objectContaining({kind: 'task.completed'}),
	);
});

test('a required review waits for the verification as for a guard, and shows its result to the person', () => {
	const trace = proposedAs('optional', 'required');
	expect(payloads(reduceLater(trace, claimed(trace)))).toEqual([]);
	expect(payloads(reduceLater(trace, claimed(trace), ended('failed')))).toEqual([
		{
			...{kind: 'task.status', taskId: 'a', status: 'waiting_review'},
			summary: 'well (no guard gave a verdict). Verify failed: make (exit 1)',
		},
	]);
});

import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type NewEvent, runtimeAgent} from '../../source/domain/event.ts';
import {type Invite, inviteStatuses, mayMove} from '../../source/domain/invite.ts';
import {runEventId} from '../../source/domain/run.ts';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {decodeTrace, encodeTrace} from '../../source/ledger/checkpoint.ts';
import {hasOpenSession, maxInvites, pendingInvites} from '../../source/ledger/invites.ts';
import {applyEvents, reduce} from '../../source/ledger/reduce.ts';
import {
	addOf,
	claimOf,
	createEvent,
	finishOf,
	killOf,
	reduceAll,
	reduceLater,
	stored,
	traceId,
} from '../helpers/events.ts';
import {answerOf, inviteOf, requestOf} from '../helpers/invites.ts';

const doneWhen = {
	when: {type: 'SIGNAL', kind: 'spec.ready'},
	match: {final: true},
	requireFile: {from: 'ref'},
	setArtifactRef: {from: 'ref'},
};

const invite = (trace: Trace, inviteId = 'i'): Invite => {
	const found = trace.invites.get(inviteId);
	if (found === undefined) throw new Error(`no invite ${inviteId}`);
	return found;
};
const status = (trace: Trace): string => invite(trace).status;
const budget = createEvent('SIGNAL', {kind: 'feature.requested', title: 'x'}, {energyBudget: 12});
const accepted = (): Trace =>
	reduceAll(budget, inviteOf('i', {doneWhen}), answerOf('i', 'accept'), requestOf('i'));
/** A trace whose session is claimed; the session request is event 4. */
const begun = (): Trace => reduceLater(accepted(), claimOf('s', '', {trigger: 4}));
const specReady = (fields: object = {}) =>
	createEvent('SIGNAL', {kind: 'spec.ready', ref: 'docs/spec.md', final: 'true', ...fields});
const refund = (trace: Trace, agentId: string): Trace => {
	const [event] = stored([{...addOf(1), agentId: runtimeAgent}], trace.sequence + 1);
	return applyEvents(trace, [{...event!, id: runEventId(traceId, agentId, 'refund')}]).trace;
};

describe('an invite', () => {
	test('waits until a person answers it', () => {
		expect(status(reduceAll(inviteOf('i')))).toBe('pending');
		expect(status(reduceAll(inviteOf('i'), answerOf('i', 'reject')))).toBe('cancelled');
		expect(status(reduceAll(inviteOf('i'), answerOf('i', 'defer')))).toBe('deferred');
		expect(status(reduceAll(inviteOf('i'), answerOf('i', 'defer'), answerOf('i', 'accept')))).toBe(
			'accepted',
		);
		expect(pendingInvites(reduceAll(inviteOf('i'), inviteOf('j'), answerOf('i', 'defer')))).toEqual([
			expect.objectContaining({inviteId: 'j'}),
		]);
	});

	test('has the session that answers it, and is incomplete after the session ends', () => {
		const trace = begun();
		expect(invite(trace)).toMatchObject({status: 'accepted', request: 4, sessionId: 's'});
		expect(hasOpenSession(trace, invite(trace))).toBe(true);
		const ended = reduceLater(trace, finishOf('s'));
		expect(invite(ended)).toMatchObject({status: 'incomplete', sessionId: 's'});
		expect(hasOpenSession(ended, invite(ended))).toBe(false);
	});

	test('keeps fields that an update omits', () => {
		const update = inviteOf('i', {status: 'accepted', task: 'Other words'});
		expect(invite(reduceLater(begun(), update))).toMatchObject({
			task: 'Other words',
			request: 4,
			sessionId: 's',
			doneWhen: {match: {final: 'true'}},
		});
	});

	test('has one session request at a time', () => {
		const twice = reduceLater(begun(), requestOf('i'));
		expect(invite(twice).request).toBe(4);
		expect(twice.problems.at(-1)?.message).toContain('out of turn');
		const again = reduceLater(twice, finishOf('s'), answerOf('i', 'accept'), requestOf('i'));
		expect(invite(again)).toMatchObject({status: 'accepted', request: again.sequence, sessionId: 's'});
		const other = reduceLater(again, claimOf('s2', '', {trigger: again.sequence}));
		expect(invite(other).sessionId).toBe('s2');
	});

	test('cannot be accepted again while its session is open, even if an event marked it incomplete', () => {
		const incomplete = reduceLater(begun(), inviteOf('i', {status: 'incomplete'}));
		expect(status(reduceLater(incomplete, answerOf('i', 'accept')))).toBe('incomplete');
		expect(status(reduceLater(incomplete, finishOf('s'), answerOf('i', 'accept')))).toBe('accepted');
	});

	test('is pending again when its session never began and its honey is refunded', () => {
		for (const trace of [begun(), reduceLater(begun(), finishOf('s', 'failed'))]) {
			const {sessionId, request, ...rest} = invite(refund(trace, 's'));
			expect(rest.status).toBe('pending');
			expect([sessionId, request]).toEqual([undefined, undefined]);
		}
		expect(status(refund(begun(), 'another'))).toBe('accepted');
		expect(status(reduceLater(refund(begun(), 's'), finishOf('s', 'failed')))).toBe('pending');
	});

	test('cannot be changed by agents, which only create new ones', () => {
		const own = {agentId: 's'};
		const trace = reduceLater(begun(), inviteOf('i', {status: 'completed'}, own), inviteOf('j', {}, own));
		expect(status(trace)).toBe('accepted');
		expect(invite(trace, 'j').status).toBe('pending');
		expect(reduceLater(begun(), inviteOf('k', {status: 'accepted'}, own)).invites.has('k')).toBe(false);
	});

	test('ends with its trace, unless its session is open', () => {
		const trace = reduceLater(begun(), inviteOf('j'), inviteOf('k'), answerOf('k', 'defer'), killOf());
		expect([...trace.invites.values()].map(one => one.status)).toEqual([
			'accepted',
			'cancelled',
			'cancelled',
		]);
		expect(status(reduceLater(trace, finishOf('s', 'cancelled')))).toBe('incomplete');
		expect(status(reduceLater(accepted(), killOf()))).toBe('cancelled');
		expect(reduceLater(trace, inviteOf('late')).invites.has('late')).toBe(false);
	});
});

describe('the event that completes an invite', () => {
	test('is stored as a report while the invite is accepted or incomplete, until the report is checked', () => {
		const trace = reduceLater(begun(), specReady());
		expect(invite(trace).report).toEqual({
			sequence: trace.sequence,
			ref: 'docs/spec.md',
			artifactRef: 'docs/spec.md',
		});
		const looked = reduceLater(trace, inviteOf('i', {status: 'completed', artifactRef: 'docs/spec.md'}));
		expect(invite(looked)).toMatchObject({status: 'completed', artifactRef: 'docs/spec.md', sessionId: 's'});
		expect(invite(looked).report).toBeUndefined();
		expect(invite(reduceLater(looked, finishOf('s'))).status).toBe('completed');
		expect(invite(reduceLater(begun(), finishOf('s'), specReady())).report).toBeDefined();
	});

	test('must have the expected type and kind and every value of match', () => {
		expect(invite(reduceLater(begun(), specReady({final: true}))).report).toBeDefined();
		expect(invite(reduceLater(begun(), specReady({final: 'no'}))).report).toBeUndefined();
		expect(invite(reduceLater(begun(), specReady({final: ['true']}))).report).toBeUndefined();
		expect(invite(reduceLater(begun(), {...specReady(), type: 'INSIGHT'})).report).toBeUndefined();
		expect(invite(reduceAll(inviteOf('i', {doneWhen}), specReady())).report).toBeUndefined();
	});

	test('yields no file when the field is missing or longer than a path can be', () => {
		for (const ref of [undefined, {}, 'x'.repeat(5000)])
			expect(invite(reduceLater(begun(), specReady({ref}))).report?.ref).toBe('');
	});
});

test('a trace keeps a limited number of invites, and drops the oldest ended one first', () => {
	const many = Array.from({length: maxInvites}, (_, index) => inviteOf(`i${index}`));
	const full = reduceAll(...many);
	expect(reduceLater(full, inviteOf('more')).invites.has('more')).toBe(false);
	const trace = reduceLater(full, answerOf('i7', 'reject'), answerOf('i9', 'reject'), inviteOf('more'));
	expect(trace.invites.size).toBe(maxInvites);
	expect([trace.invites.has('i7'), trace.invites.has('i9'), trace.invites.has('more')]).toEqual([
		false,
		true,
		true,
	]);
});

const ids = ['i', 'j'];
const runs = ['s', 't'];
const anyEvent: fc.Arbitrary<NewEvent> = fc.oneof(
	fc
		.tuple(
			fc.constantFrom(...ids),
			fc.constantFrom(...inviteStatuses, 'odd'),
			fc.constantFrom('human', runtimeAgent, ...runs),
			fc.boolean(),
		)
		.map(([id, state, agentId, isWatched]) =>
			inviteOf(id, {status: state, ...(isWatched ? {doneWhen} : {})}, {agentId}),
		),
	fc
		.tuple(fc.constantFrom(...ids), fc.constantFrom('accept', 'reject', 'defer', 'odd'))
		.map(([id, action]) => answerOf(id, action)),
	fc.constantFrom(...ids).map(id => requestOf(id)),
	fc
		.tuple(fc.constantFrom(...runs), fc.integer({min: 1, max: 12}))
		.map(([agentId, trigger]) => claimOf(agentId, '', {trigger})),
	fc
		.tuple(fc.constantFrom(...runs), fc.constantFrom('completed', 'failed'))
		.map(([by, how]) => finishOf(by, how)),
	fc.constantFrom(specReady(), addOf(3), budget),
	fc.oneof({weight: 1, arbitrary: fc.constant(killOf())}, {weight: 6, arbitrary: fc.constant(addOf(1))}),
	fc
		.tuple(
			fc.constantFrom('session.invite', 'beekeeper.ready', 'session.requested'),
			fc.dictionary(
				fc.constantFrom('inviteId', 'status', 'action', 'doneWhen', 'task', 'bee'),
				fc.anything(),
			),
		)
		.map(([kind, payload]) => createEvent('SIGNAL', {...payload, kind})),
);
const history = fc.array(anyEvent, {maxLength: 40}).map(events => stored([budget, addOf(9), ...events]));

describe('invites under any order of events', () => {
	test('only move along allowed transitions, and never lose a session', () => {
		fc.assert(
			fc.property(history, events => {
				let before = emptyTrace(traceId);
				for (const event of events) {
					const after = reduce(before, event);
					for (const now of after.invites.values()) {
						const then = before.invites.get(now.inviteId);
						const isKilled = event.payload.kind === 'system.kill';
						const isWay =
							then === undefined
								? now.status === 'pending'
								: then.status === now.status || mayMove(then.status, now.status) || isKilled;
						expect(isWay, `${then?.status} to ${now.status}`).toBe(true);
						if (then?.sessionId !== undefined) expect(now.sessionId).toBeDefined();
						if (then?.doneWhen !== undefined) expect(now.doneWhen).toEqual(then.doneWhen);
					}
					before = after;
				}
			}),
		);
	});

	test('are not pending in a killed trace, and never share a session between two requests', () => {
		fc.assert(
			fc.property(history, events => {
				const {trace} = applyEvents(emptyTrace(traceId), events);
				if (trace.killed) expect([...trace.invites.values()].map(one => one.status)).not.toContain('pending');
				for (const {sessionId, request} of trace.invites.values()) {
					const run = trace.runs.get(sessionId ?? '');
					if (sessionId !== undefined) expect(run?.trigger).toBeLessThanOrEqual(request ?? 0);
				}
			}),
		);
	});

	test('have the same state folded singly, in one batch and from a checkpoint', () => {
		fc.assert(
			fc.property(history, fc.nat(), (events, at) => {
				const {trace} = applyEvents(emptyTrace(traceId), events);
				const cut = at % (events.length + 1);
				const half = applyEvents(emptyTrace(traceId), events.slice(0, cut)).trace;
				const resumed = applyEvents(decodeTrace(encodeTrace(half))!, events.slice(cut)).trace;
				const single = events.reduce(reduce, emptyTrace(traceId));
				expect(JSON.parse(encodeTrace(resumed))).toEqual(JSON.parse(encodeTrace(trace)));
				expect(JSON.parse(encodeTrace(single))).toEqual(JSON.parse(encodeTrace(trace)));
			}),
		);
	});
});

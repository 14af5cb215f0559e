import {afterEach, describe, expect, test} from 'vitest';
import type {AutoInvite, Colony} from '../../source/colony/colony.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import {maxInviteTaskLength} from '../../source/domain/invite.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {maxInvites} from '../../source/ledger/invites.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import {inviteFor} from '../../source/reactor/auto-invites.ts';
import {decide} from '../../source/reactor/decide.ts';
import {filesInMemory} from '../colony/files-in-memory.ts';
import {
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
import {createRig, type Rig} from './rig.ts';
import {bee, builder, colonyOf, type Given, machineOf, pendingInvite, pendingRun} from './scene.ts';

const drone = bee('drone', {adapter: 'alpha'});
const doneWhen = {
	when: {type: 'SIGNAL', kind: 'spec.ready'},
	requireFile: {from: 'ref'},
	setArtifactRef: {from: 'ref'},
} as const;

const ruleOf = (given: Partial<AutoInvite> = {}): AutoInvite => ({
	line: 1,
	when: {type: 'SIGNAL', kind: 'feature.classified'},
	match: {decision: 'grill'},
	bee: {default: 'drone'},
	intent: {default: 'grilling'},
	task: {default: 'Talk it over'},
	artifactRef: {},
	dedupe: [],
	...given,
});
const inviting = (...rules: AutoInvite[]): Colony => ({...colonyOf([builder, drone]), autoInvites: rules});

const classified = (fields: object = {}): NewEvent =>
	createEvent('SIGNAL', {kind: 'feature.classified', decision: 'grill', rationale: 'Too vague', ...fields});
const asked = (event: NewEvent, ...rules: AutoInvite[]) => {
	const [one] = stored([event], 31);
	return one && inviteFor(one, inviting(...rules));
};

describe('an event that a rule of auto_invites matches', () => {
	test('asks for an invite that is named after the event', () => {
		expect(asked(classified(), ruleOf())).toEqual({
			inviteId: 'inv-000000000000001f',
			trigger: 31,
			bee: 'drone',
			intent: 'grilling',
			task: 'Talk it over',
			dedupe: [],
		});
	});

	test('must have the type, kind and values of the rule, and only the first matching rule counts', () => {
		const other = ruleOf({intent: {default: 'other'}});
		expect(asked(classified(), other, ruleOf())?.intent).toBe('other');
		expect(asked(classified({decision: 'plan'}), other)).toBeUndefined();
		expect(asked(classified({decision: {grill: 1}}), other)).toBeUndefined();
		expect(asked({...classified(), type: 'INSIGHT'}, other)).toBeUndefined();
		expect(asked(classified({round: 2}), ruleOf({match: {round: '2'}}))).toBeDefined();
	});

	test('gives the invite the text that the rule extracts from it', () => {
		const rule = ruleOf({
			bee: {from: 'who', default: 'drone'},
			intent: {from: 'how'},
			task: {from: 'rationale', fallbackFrom: 'question'},
			artifactRef: {from: 'ref'},
			doneWhen,
		});
		expect(asked(classified({how: 'survey', ref: 'a.md', who: 'nobody'}), rule)).toMatchObject({
			bee: 'drone',
			intent: 'survey',
			task: 'Too vague',
			artifactRef: 'a.md',
			doneWhen,
		});
		expect(asked(classified({question: 'Why?'}), rule)?.task).toBe('Why?');
		expect(asked(classified({rationale: ''}), rule)?.task).toContain('feature.classified');
	});

	test('invites no bee without a session program, and a text that is too long is cut', () => {
		expect(asked(classified(), ruleOf({bee: {default: 'builder'}}))).toBeUndefined();
		expect(asked(classified({who: 'builder'}), ruleOf({bee: {from: 'who'}}))).toBeUndefined();
		const long = asked(classified({rationale: 'x'.repeat(20_000)}), ruleOf({task: {from: 'rationale'}}));
		expect(long?.task).toHaveLength(maxInviteTaskLength);
		expect(long?.task).toContain('truncated');
	});
});

const started = reduceAll(createEvent('SIGNAL', {kind: 'feature.requested', title: 'x'}, {energyBudget: 12}));
const accepted = reduceLater(started, inviteOf('i', {doneWhen}), answerOf('i', 'accept'), requestOf('i'));
const begun = reduceLater(accepted, claimOf('s', '', {trigger: 4}));
const reported = reduceLater(begun, createEvent('SIGNAL', {kind: 'spec.ready', ref: 'docs/spec.md'}));

/** Ignores open runs, as if all were busy. */
const said = (trace: Trace, given: Given) =>
	decide(trace, inviting(), machineOf(given)).steps.flatMap(step => {
		if (step.do === 'dropInvite') return [`drop ${step.inviteId}`];
		if (step.do !== 'append') return [];
		const {kind, inviteId, status, task, artifactRef} = step.event.payload;
		return [[kind, inviteId, status, task, artifactRef].filter(word => word !== undefined).join(' ')];
	});

describe('a decision about invites', () => {
	test('emits an invite that was requested, and drops the request once the invite exists', () => {
		const invites = [pendingInvite('i')];
		expect(said(started, {invites})).toEqual(['session.invite i pending Talk it over']);
		expect(said(reduceLater(started, inviteOf('i')), {invites})).toEqual(['drop i']);
		expect(said(reduceLater(started, killOf()), {invites})).toEqual(['drop i']);
	});

	test('drops a request that equals a pending invite in all fields of dedupe', () => {
		const known = reduceLater(started, inviteOf('known', {intent: 'grilling'}));
		const like = (fields: object) => said(known, {invites: [pendingInvite('i', fields)]});
		expect(like({dedupe: ['bee', 'intent'], intent: 'grilling'})).toEqual(['drop i']);
		expect(like({dedupe: ['bee', 'intent'], intent: 'other'})).toHaveLength(1);
		expect(like({dedupe: ['artifactRef']})).toEqual(['drop i']);
		expect(like({dedupe: [], intent: 'grilling'})).not.toEqual(['drop i']);
		const deferred = reduceLater(known, answerOf('known', 'defer'));
		expect(said(deferred, {invites: [pendingInvite('i', {dedupe: ['bee']})]})).not.toEqual(['drop i']);
	});

	test('drops a request beyond the maximum number of invites', () => {
		const full = reduceLater(started, ...Array.from({length: maxInvites}, (_, at) => inviteOf(`i${at}`)));
		expect(said(full, {invites: [pendingInvite('more')]})).toEqual(['drop more']);
	});

	test('waits for the event that leads the task of the invite', () => {
		const recall = {kind: 'feature.requested', field: 'body', prefix: 'Grill: '};
		const invites = [pendingInvite('i', {recall})];
		expect(said(started, {invites})).toEqual([]);
		const found = (words: string) => said(started, {invites, recalled: new Map([['i', words]])});
		expect(found('A dark theme')).toEqual(['session.invite i pending Grill: A dark theme']);
		expect(found('')).toEqual(['session.invite i pending Talk it over']);
	});

	test('completes an invite that is reported done if its file exists, and marks it incomplete otherwise', () => {
		expect(said(reported, {})).toEqual([]);
		const files = (isThere: boolean) => new Map([['docs/spec.md', isThere]]);
		expect(said(reported, {files: files(true)})).toEqual([
			'session.invite i completed Talk it over docs/spec.md',
		]);
		expect(said(reported, {files: files(false)})).toEqual(['session.invite i incomplete Talk it over']);
		expect(said(reduceLater(reported, killOf()), {files: files(true)})).toEqual([]);
	});
});

describe('the session of a bee that is gone', () => {
	const session = pendingRun('session.requested', 'drone', {trigger: accepted.sequence});
	const due = (trace: Trace, pending = session) =>
		decide(trace, colonyOf([builder]), machineOf({pending: [pending]})).steps;
	const ended = (...agentIds: string[]) =>
		agentIds.flatMap(id => [claimOf(id, '', {trigger: 1}), finishOf(id)]);

	test('is claimed if it answers an invite, which waits again after the session cannot begin', () => {
		expect(due(accepted)).toEqual([
			{
				...{do: 'claim', bee: 'drone', trigger: accepted.sequence, workspace: 'isolated'},
				...{interactive: true, reason: 'session.start', because: 'configuration'},
			},
		]);
		expect(due(reduceLater(accepted, claimOf('s', '', {trigger: 4, bee: 'drone'}), finishOf('s')))).toEqual([
			{do: 'drop', bee: 'drone', trigger: 4},
		]);
	});

	test('is dropped if it answers no invite', () => {
		expect(due(started, {...session, trigger: 1})).toEqual([{do: 'drop', bee: 'drone', trigger: 1}]);
	});

	test('is deferred without honey, or while a run is in the worktree', () => {
		const spent = reduceLater(accepted, ...ended(...Array.from({length: 12}, (_, at) => `r${at}`)));
		expect(spent.energyRemaining).toBe(0);
		expect(due(spent)).toEqual([]);
		const {waits} = decide(spent, colonyOf([builder]), machineOf({pending: [session]}));
		expect(waits.runs().flatMap(({reasons}) => reasons)).toContainEqual({for: 'honey', lacks: 'honey'});
		const busy = reduceLater(accepted, claimOf('r', '', {trigger: 1, bee: 'builder', place: 'here'}));
		const runs = new Map([['r', 'busy']] as const);
		expect(decide(busy, colonyOf([builder]), machineOf({pending: [session], runs})).steps).toEqual([]);
	});
});

let rig: Rig | undefined;
const rigWith = (colony: Colony): Rig => {
	rig = createRig({colony});
	return rig;
};
afterEach(() => rig?.close());

const stories = async (of: Rig) => [...(await loadTrace(of.bus, traceId)).invites.values()];
const requested = (body: string) =>
	createEvent('SIGNAL', {kind: 'feature.requested', title: 'x', body}, {energyBudget: 12});

describe('a reactor', () => {
	test('invites once for an event, also if another reactor takes over', async () => {
		const colony = inviting(
			ruleOf({
				task: {recall: {kind: 'feature.requested', field: 'body', prefix: 'Grill: '}, from: 'rationale'},
			}),
		);
		const own = rigWith(colony);
		const first = await own.start();
		await own.say(requested('Old'), requested('Newest'), classified(), requested('Too late'));
		await first.idle();
		await first.close();
		const second = await own.start();
		await second.idle();
		expect(await stories(own)).toMatchObject([{status: 'pending', task: 'Grill: Newest', bee: 'drone'}]);
		await own.say(classified());
		await second.idle();
		expect(await stories(own)).toHaveLength(2);
	});

	test('invites for events that came while no reactor ran, but not for events older than the rule', async () => {
		const own = rigWith(inviting());
		const first = await own.start();
		await own.say(requested('x'), classified({rationale: 'before'}));
		await first.idle();
		await first.close();
		await own.say(classified({rationale: 'while away'}));
		const second = await own.start({colony: inviting(ruleOf({task: {from: 'rationale'}}))});
		await second.idle();
		expect(await stories(own)).toMatchObject([{task: 'while away'}]);
	});

	test('emits one of two invites that are equal in the fields of dedupe', async () => {
		const own = rigWith(inviting(ruleOf({dedupe: ['bee', 'intent']})));
		await own.say(requested('x'), classified(), classified());
		const reactor = await own.start();
		await reactor.idle();
		expect(await stories(own)).toHaveLength(1);
	});

	test('checks the file of an invite that is reported done, also after a restart', async () => {
		const own = rigWith(inviting());
		const {files, texts} = filesInMemory();
		const disk = {...files, readBytes: async () => new Uint8Array(1)};
		const ready = (ref: string) => createEvent('SIGNAL', {kind: 'spec.ready', ref});
		await own.say(requested('x'), inviteOf('i', {doneWhen}), answerOf('i', 'accept'), ready('docs/spec.md'));
		const first = await own.start({files: disk});
		await first.idle();
		expect(await stories(own)).toMatchObject([{status: 'incomplete'}]);
		texts.set('/secret.md', 'x');
		await own.say(ready('../secret.md'));
		await first.idle();
		expect(await stories(own)).toMatchObject([{status: 'incomplete'}]);
		await first.close();
		texts.set(`/colony/.hive/worktrees/${traceId}/docs/spec.md`, 'x');
		await own.say(ready('docs/spec.md'));
		const second = await own.start({files: disk});
		await second.idle();
		expect(await stories(own)).toMatchObject([{status: 'completed', artifactRef: 'docs/spec.md'}]);
		expect(own.reports).toEqual([]);
	});
});

import {mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {linesOf} from '../helpers/colony-on-disk.ts';
import {createSessionScene, talkerArgv} from '../helpers/talk.ts';

type Invite = {
	readonly inviteId: string;
	readonly traceId: string;
	readonly status: string;
	readonly [field: string]: string;
};

const settings = {
	auto_invites: [
		{
			when: {type: 'SIGNAL', kind: 'feature.classified'},
			match: {decision: 'grill'},
			invite: {
				bee: {default: 'drone'},
				intent: {default: 'grilling'},
				task: {from_trace_kind: 'feature.requested', from_trace_field: 'body', default: 'Talk it over'},
				done_when: {
					when: {type: 'SIGNAL', kind: 'spec.ready'},
					require_file: {from: 'ref'},
					set_artifact_ref: {from: 'ref'},
				},
			},
			dedupe: ['bee', 'intent'],
		},
	],
};
const classify = `emit '{"type":"SIGNAL","payload":{"kind":"feature.classified","decision":"grill","rationale":"vague"}}'`;
const scout = (more: string) => ({
	script: `${classify}\n${more}`,
	subscribes: [{type: 'SIGNAL', kind: 'feature.requested', dispatch: 'direct'}],
});
const files = {
	'.hive/bees/drone.yaml': JSON.stringify({
		adapter: 'alpha',
		intents: ['grilling'],
		interactive_command: talkerArgv,
	}),
	'.hive/cues/feature.yaml': 'emit: signal\ntype: SIGNAL\nkind: feature.requested\nbody: "{{.Text}}"\n',
	'.hive/prompts/default.md': '{{.Task}}\n',
};

/** @param more script of the scout after it has emitted the inviting event */
const colonyWithInvite = async (more = '') => {
	const colony = await createSessionScene({bees: {scout: scout(more)}, settings, files});
	const {traceId} = await colony.ask<{traceId: string}>(['cue', 'run', 'feature', 'Add a dark theme']);
	const invites = async (...args: string[]) =>
		(await colony.ask<{invites: readonly Invite[]}>(['invite', 'list', ...args])).invites;
	return {...colony, traceId, invites};
};

describe('an invite', () => {
	it('is created by an event, waits for a person, and is answered by commands', async () => {
		const {ask, hive, invites, traceId, replay} = await colonyWithInvite();
		const idle = await hive(['run', '--until-idle']);
		expect(idle.exitCode).toBe(8);
		const [invite] = await invites();
		expect(invite).toEqual({
			inviteId: expect.stringMatching(/^inv-[0-9a-f]{16}$/),
			traceId,
			bee: 'drone',
			task: 'Add a dark theme',
			intent: 'grilling',
			status: 'pending',
			artifactRef: '',
			sessionId: '',
			createdAt: expect.any(String),
			updatedAt: expect.any(String),
		});
		const {inviteId = ''} = invite ?? {};
		const shown = await hive(['status']);
		expect(shown.stdout).toContain('1 waits for you: 1 invite ("hive invite list").');
		expect(shown.stdout).toMatch(new RegExp(`${traceId} +invited`));
		expect((await hive(['run', '--until-idle'])).exitCode).toBe(8);

		expect(await ask(['invite', 'reject', inviteId, '--defer'])).toMatchObject({traceId, status: 'deferred'});
		expect(await invites()).toMatchObject([{inviteId, status: 'deferred'}]);
		expect(await invites('--status', 'pending')).toEqual([]);
		expect((await hive(['invite', 'list', '--trace', traceId])).stdout).toContain('hive invite accept <id>');
		expect((await hive(['status'])).stdout).not.toContain('for you');

		const raced = await Promise.all([1, 2, 3].map(() => hive(['invite', 'accept', inviteId, '--detached'])));
		expect(raced.map(({exitCode}) => exitCode).sort()).toEqual([0, 4, 4]);
		expect(raced.map(({stderr}) => stderr).join('')).toContain('is already accepted');
		expect(raced.find(({exitCode}) => exitCode === 0)?.stdout).toContain('No reactor is alive, so it waits');
		const log = await replay(traceId);
		const requests = log.filter(({payload}) => payload.kind === 'session.requested');
		expect(requests).toMatchObject([
			{agentId: 'human', payload: {bee: 'drone', body: 'Add a dark theme', intent: 'grilling', inviteId}},
		]);
		expect((await hive(['invite', 'list'])).stdout).toBe('No invite waits for you.\n');
		expect(await invites('--status', 'all')).toMatchObject([{inviteId, status: 'accepted'}]);
		const all = (await hive(['invite', 'list', '--status', 'all'])).stdout;
		expect(all).toContain(inviteId);
		expect(all).not.toContain('hive invite accept');
	});

	it('is pending again, and can be rejected, when its bee is gone before the session begins', async () => {
		const {ask, hive, invites, root, traceId, list} = await colonyWithInvite();
		await hive(['run', '--until-idle']);
		const [{inviteId = ''} = {}] = await invites();
		await ask(['invite', 'accept', inviteId, '--detached']);
		await rm(join(root, '.hive/bees/drone.yaml'));
		await hive(['run', '--until-idle']);
		expect(await invites()).toMatchObject([{inviteId, status: 'pending'}]);
		expect((await hive(['invite', 'list'])).stdout).toContain(
			'There is no bee "drone". Its invites can only be rejected: "hive invite reject <id>".',
		);
		const [session] = await list('--all');
		expect(session).toMatchObject({bee: 'drone', state: 'failed'});
		expect((await hive(['replay', traceId])).stdout).toContain('There is no bee "drone"');
		expect((await hive(['invite', 'accept', inviteId, '--detached'])).stderr).toContain('no bee "drone"');
		expect(await ask(['invite', 'reject', inviteId])).toMatchObject({status: 'cancelled'});
	});

	it('can be created by agents only as new and pending', async () => {
		const {hive, invites, notes} = await colonyWithInvite(`
invite() { note "$(emit '{"type":"SIGNAL","payload":{"kind":"session.invite","inviteId":"own","bee":"drone","task":"Mine","status":"'$1'"}}' || true)"; }
invite accepted; invite pending; invite pending; invite cancelled`);
		await hive(['run', '--until-idle']);
		const answers = (await notes()).filter(line => line.startsWith('{')).map(line => JSON.parse(line));
		expect(answers.map(({ok, error}) => (ok ? 'ok' : error))).toEqual([
			'not_for_agents',
			'ok',
			'not_for_agents',
			'not_for_agents',
		]);
		expect(await invites()).toMatchObject([{status: 'pending'}, {inviteId: 'own', task: 'Mine'}]);
	});

	it('is completed by the event of its rule once the named file exists, in the checkout or beside it', async () => {
		const {ask, hive, invites, root, traceId} = await colonyWithInvite();
		await hive(['run', '--until-idle']);
		const [invite] = await invites();
		await ask(['invite', 'accept', invite?.inviteId ?? '', '--detached']);
		const say = (ref: string) =>
			hive(['event', 'emit', '--stdin'], {
				input: JSON.stringify({traceId, type: 'SIGNAL', payload: {kind: 'spec.ready', ref}}),
			});
		await say('docs/spec.md');
		await hive(['run', '--until-idle']);
		expect(await invites('--status', 'all')).toMatchObject([{status: 'incomplete', artifactRef: ''}]);
		await mkdir(join(root, 'docs'));
		await writeFile(join(root, 'docs/spec.md'), '# Spec\n');
		await say('docs/spec.md');
		await hive(['run', '--until-idle']);
		expect(await invites('--status', 'all')).toMatchObject([
			{status: 'completed', artifactRef: 'docs/spec.md'},
		]);
	});

	it('can be recorded by people, and an unknown one is refused with its own code', async () => {
		const {ask, hive, invites, traceId} = await colonyWithInvite();
		const recorded = await ask<Invite>(
			['invite', 'record', '--trace', traceId, '--bee', 'drone', '--stdin', '--invite-id', 'mine'],
			{input: 'Talk about names\n'},
		);
		expect(recorded).toMatchObject({inviteId: 'mine', traceId, bee: 'drone', status: 'pending'});
		expect(await invites()).toMatchObject([{task: 'Talk about names\n'}]);
		const odd = await hive([
			'invite',
			'record',
			'--trace',
			traceId,
			'--bee',
			'drone',
			'--intent',
			'odd',
			'-b',
			'x',
		]);
		expect([odd.exitCode, odd.stderr]).toEqual([2, expect.stringContaining('Its intents: grilling.')]);
		const missing = await hive(['invite', 'accept', 'none', '--json']);
		expect([missing.exitCode, JSON.parse(missing.stdout || missing.stderr)]).toMatchObject([
			3,
			{error: {code: 'invite_not_found'}},
		]);
		expect((await hive(['invite', 'accept', 'mine', '--attach', '--detached'])).exitCode).toBe(2);
		const script = await hive(['invite', 'record', '--trace', traceId, '--bee', 'scout', '-b', 'x']);
		expect([script.exitCode, script.stderr]).toEqual([
			3,
			expect.stringContaining('has no interactive session'),
		]);
		const offered = await hive(['completion', '--list', 'invites']);
		expect(linesOf(offered.stdout)).toEqual([expect.stringMatching(/^mine\s/)]);
	});
});

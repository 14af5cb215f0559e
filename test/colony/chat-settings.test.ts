import {describe, expect, it} from 'vitest';
import {loadChatSettings} from '../../source/colony/chat-settings.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {filesInMemory} from './files-in-memory.ts';

const path = '/home/me/.config/hive/shop/chat.yaml';
const load = (text: string, env = {}, isPrivate = true) =>
	loadChatSettings({...filesInMemory({[path]: text}).files, isPrivate: async () => isPrivate}, path, env);

const named = {HIVE_CHAT_BOT_TOKEN: '1:from-env'};

describe('chat.yaml', () => {
	it('enables no chat unless it says so', async () => {
		expect(expectAccepted(await load('bot_token: "1:x"\n'))).toBeUndefined();
	});

	it('has default levels for categories that it omits, and accepts booleans', async () => {
		const {notify} = expectAccepted(
			await load('enabled: true\nnotify: {failed: false, invites: true, waiting_review: silent}\n', named),
		)!;
		expect(notify).toMatchObject({
			failed: 'off',
			invite: 'sound',
			review_required: 'silent',
			review_final: 'silent',
		});
		expect(notify).toMatchObject({commit_gate: 'off', 'task.completed': 'silent', blocked: 'sound'});
	});

	it('yields its token to the one in the environment', async () => {
		expect(expectAccepted(await load('enabled: true\nbot_token: "1:x"\n', named))?.token).toBe('1:from-env');
		const other = 'enabled: true\nbot_token_env: MY_TOKEN\n';
		expect(expectAccepted(await load(other, {MY_TOKEN: '1:mine'}))?.token).toBe('1:mine');
	});

	it.each([
		['a token that others may read', 'enabled: true\nbot_token: "1:x"\n', false],
		['no token', 'enabled: true\n', true],
		['a webhook of the platform', 'enabled: true\nbot_token: "1:x"\nmode: webhook\n', true],
		['an id that is none', 'enabled: true\nbot_token: "1:x"\nchat_ids: [me]\n', true],
		[
			'a command that hive has',
			'enabled: true\nbot_token: "1:x"\ncommands: {custom: {task: {description: d, cue: c}}}\n',
			true,
		],
		[
			'a command that does nothing',
			'enabled: true\nbot_token: "1:x"\ncommands: {custom: {go: {description: d}}}\n',
			true,
		],
		[
			'a command that says no kind',
			'enabled: true\nbot_token: "1:x"\ncommands: {custom: {go: {description: d, emit: signal, kind: "a b"}}}\n',
			true,
		],
		['hours that are none', 'enabled: true\nbot_token: "1:x"\nnotify: {quiet_hours: 25-3}\n', true],
	])('is refused with %s', async (_, text, isPrivate) => {
		expect(await load(text, {}, isPrivate)).toMatchObject({ok: false, refusal: {code: 'invalid_config'}});
	});

	it('gives quiet hours as minutes of the day', async () => {
		const read = await load('enabled: true\nnotify: {quiet_hours: "22:00-7:05"}\n', named);
		expect(expectAccepted(read)?.quiet).toEqual({from: 1320, to: 425});
	});

	it('gives the custom commands', async () => {
		const text =
			'enabled: true\ncommands: {custom: {bug: {description: A bug, emit: signal, kind: bug.found, static: {level: 1}}, go: {description: Go, cue: feature}}}\n';
		expect(expectAccepted(await load(text, named))?.custom).toEqual([
			{name: 'bug', description: 'A bug', emits: {kind: 'bug.found', static: {level: 1}}},
			{name: 'go', description: 'Go', emits: {cue: 'feature'}},
		]);
	});
});

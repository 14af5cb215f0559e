import {expect, it} from 'vitest';
import {createReplies} from '../../source/sessions/replies.ts';
import {heldSession} from './held-session.ts';

const answer = '\x1b[24;80R';

it('terminal replies reach a program that reads, however often it asks', () => {
	const {pty, typed} = heldSession();
	const reply = createReplies(pty);
	for (let asked = 0; asked < 20_000; asked++) reply(answer);
	expect(typed()).toBe(answer.repeat(20_000));
});

it('terminal replies to a program that does not read are bounded, and continue once the program reads', () => {
	const {pty, typed, leaveUnread} = heldSession();
	const reply = createReplies(pty);
	leaveUnread(1);
	for (let asked = 0; asked < 100_000; asked++) reply(answer);
	const owed = typed();
	expect(owed.length).toBeGreaterThan(64 * 1024);
	expect(owed.length).toBeLessThanOrEqual(64 * 1024 + answer.length);
	leaveUnread(0);
	reply('again');
	expect(typed()).toBe(`${owed}again`);
});

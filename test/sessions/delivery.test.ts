import {expect, it} from 'vitest';
import {createTerminalEmulator} from '../../source/screen/terminal-emulator.ts';
import {createDelivery} from '../../source/sessions/delivery.ts';
import {handClock} from './terminal-session.ts';

/**
 * Creates a program that echoes its input, unless `shows` changes the echo, and starts a new line at Enter.
 */
const deliverTo = ({shows = (text: string) => text, leaves = false} = {}) => {
	const {clock, pass} = handClock();
	const screen = createTerminalEmulator({columns: 60, rows: 8}, {scrollback: 0});
	const given: string[] = [];
	const print = (text: string): void => {
		screen.write(Buffer.from(text));
		delivery.wrote();
	};
	const delivery = createDelivery({
		...{clock, screen},
		isTaken: () => !leaves,
		write: bytes => {
			const text = Buffer.from(bytes).toString();
			given.push(text);
			print(text === '\r' ? '\r\n> ' : shows(text));
		},
	});
	print('> ');
	return {
		...{pass, given, print},
		type: (text: string) => delivery.typed(Buffer.from(text)),
		/** Sends a text and returns the result. A program that echoes nothing takes five seconds. */
		send: async (text: string, submit = true) => {
			const answer = delivery.deliver(text, submit);
			pass(5000);
			return answer;
		},
		end: delivery.end,
	};
};

it('a text is delivered once the program shows it, and sent once Enter has changed the screen', async () => {
	const {send, given} = deliverTo();
	expect(await send('Go on with the second idea.', false)).toBeUndefined();
	expect(given).toEqual(['Go on with the second idea.']);
	expect(await send('And then the third.')).toBeUndefined();
	expect(given.slice(1)).toEqual(['And then the third.', '\r']);
});

it('a text is sent as one bracketed paste to a program that asks for that', async () => {
	const {print, send, given} = deliverTo();
	expect(await send('one\ntwo')).toContain('takes no pastes');
	print('\x1b[?2004h');
	expect(await send('one line and\ntwo lines', false)).toBeUndefined();
	expect(given).toEqual(['\x1b[200~one line and\ntwo lines\x1b[201~']);
});

it('a text that the program does not show, or has not read, is not delivered', async () => {
	expect(await deliverTo({shows: () => ''}).send('a password')).toContain('has not shown the text');
	expect(await deliverTo({leaves: true}).send('never read')).toContain('has not shown the text');
	const chatty = deliverTo({shows: () => '\x1b7\x1b[5;1HWorking: yes, still\x1b8'});
	expect(await chatty.send('yes')).toContain('has not shown the text');
});

it('no text is sent while a person types, or behind unsent input of a person', async () => {
	const {type, send, pass, given} = deliverTo();
	type('hello there');
	expect(await send('x marks it')).toBe('a person is typing');
	pass(5000);
	expect(await send('x marks it')).toContain('has begun a line');
	type('\r');
	pass(5000);
	type('\x1b[200~a draft of mine\x1b[201~');
	pass(600_000);
	expect(await send('x marks it')).toContain('has begun a line');
	type('\x15');
	pass(5000);
	expect(await send('x marks it')).toBeUndefined();
	expect(given).toEqual(['x marks it', '\r']);
});

it('a key that answered a question no longer counts as a started line after a minute', async () => {
	const {type, send, pass} = deliverTo();
	type('y');
	pass(10_000);
	expect(await send('Go on.')).toContain('has begun a line');
	pass(60_000);
	expect(await send('Go on with it.')).toBeUndefined();
});

it('Enter is not sent if a person starts to type meanwhile', async () => {
	let hurry = (): void => {};
	const slow = deliverTo({
		shows: text => {
			hurry();
			return text;
		},
	});
	hurry = () => slow.type('rm ');
	expect(await slow.send('hello machine')).toContain('without Enter');
	expect(slow.given).toEqual(['hello machine']);
});

it('texts are sent one at a time, and neither empty texts nor texts to an ended program are sent', async () => {
	const {send, end} = deliverTo({shows: () => ''});
	const [first, second] = await Promise.all([send('the first of two'), send('the second of two')]);
	expect([first, second]).toEqual([expect.stringContaining('not shown'), 'another text is being sent']);
	expect(await send(' | ')).toContain('no visible characters');
	end();
	expect(await send('too late')).toBe('the program has ended');
});

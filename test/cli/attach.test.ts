import {expect, test} from 'vitest';
import {attach} from '../../source/cli/attach/attach.ts';
import type {OwnTerminal} from '../../source/cli/attach/own-terminal.ts';
import type {Connection} from '../../source/ports/connection.ts';
import {ctrlKey} from '../../source/screen/detach-key.ts';
import {encodeHolderMessage, type HolderMessage} from '../../source/sessions/protocol.ts';

const session = {traceId: 't', sessionId: 'b'};

/** Attaches a terminal of 80x24 to a holder that sends these messages and closes the link. */
const attachTo = async (messages: readonly HolderMessage[]) => {
	let written = '';
	const terminal: OwnTerminal = {
		size: () => ({columns: 80, rows: 24}),
		write: bytes => {
			written += Buffer.from(bytes).toString();
			return true;
		},
		onDrained: () => {},
		onResized: () => {},
		read: () => ({resume: () => {}, stop: () => {}}),
	};
	let receive = (_: Uint8Array): void => {};
	const connection: Connection = {
		send: () => {},
		unsentBytes: () => 0,
		onDrained: () => {},
		onData: call => {
			receive = call;
		},
		onEnd: call =>
			setImmediate(() => {
				for (const message of messages) receive(encodeHolderMessage(message));
				call();
			}),
		pause: () => {},
		resume: () => {},
		end: () => {},
		destroy: () => {},
	};
	const outcome = await attach(
		{
			colony: {root: '/colony'},
			files: {read: async () => 'key'},
			openConnection: async () => connection,
		} as never,
		session,
		{terminal, detachKey: ctrlKey(']'), readOnly: false, signal: new AbortController().signal},
	);
	return {outcome, written};
};

const output = {kind: 'output', bytes: Buffer.from('last words')} as const;

test('a link that is closed before a screen came is refused, like one that could not be opened', async () => {
	const {outcome, written} = await attachTo([]);
	expect(outcome).toMatchObject({ok: false, refusal: {code: 'wrong_status'}});
	expect(written).toBe('');
});

test('a link that is closed after a screen came has shown it', async () => {
	const {outcome, written} = await attachTo([{kind: 'screen', columns: 80, rows: 24}, output]);
	expect(outcome).toMatchObject({ok: true, value: {why: 'lost'}});
	expect(written).toContain('last words');
});

test('the last output of a program is drawn in a terminal of another size', async () => {
	const {outcome, written} = await attachTo([
		{kind: 'screen', columns: 60, rows: 20},
		output,
		{kind: 'end', exitCode: 4},
	]);
	expect(outcome).toMatchObject({ok: true, value: {why: 'exit', exitCode: 4}});
	expect(written).toContain('last words');
});

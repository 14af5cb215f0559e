import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createSessionScene, isOver, type ListedSession, leave, typeAndWait} from '../helpers/talk.ts';

const mebibyte = 1024 * 1024;

const idsOf = (...options: string[]): number[] =>
	execFileSync('ps', ['-o', options.includes('--ppid') ? 'pid=' : 'ppid=', ...options], {encoding: 'utf8'})
		.split('\n')
		.filter(Boolean)
		.map(Number);

const holderOf = ({pid}: ListedSession): number => idsOf('-p', String(pid))[0] ?? 0;

/** Returns the process id of the command that the terminal's shell started. */
const commandOf = ({pid}: {readonly pid: number}): number => idsOf('--ppid', String(pid))[0] ?? 0;

/** Peak memory of a process in bytes. */
const peakOf = (pid: number): number =>
	Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

describe('a session whose viewer is stopped', () => {
	test('goes on for other viewers in bounded memory, and the stopped viewer catches up later', async () => {
		const {chat, attach} = await createSessionScene();
		const {terminal: live, session} = await chat();
		const stopped = attach(session.sessionId);
		await stopped.until(screen => screen.includes('talker of'));
		const viewer = commandOf(stopped);
		const holder = holderOf(session);
		await typeAndWait(live, 'flood 4', 'flooded');
		process.kill(viewer, 'SIGSTOP');
		onTestFinished(() => resume(viewer));
		const before = peakOf(holder);
		await typeAndWait(live, 'flood 24', 'flooded');
		await typeAndWait(live, 'say it is over', 'heard it is over');
		expect((peakOf(holder) - before) / mebibyte).toBeLessThan(12);
		resume(viewer);
		await stopped.until(screen => screen.includes('heard it is over'));
		expect(await leave(stopped)).toContain('left with 0');
	});

	test('still ends', async () => {
		const {chat, attach, ask} = await createSessionScene();
		const {terminal: live, session} = await chat();
		const stopped = attach(session.sessionId);
		await stopped.until(screen => screen.includes('talker of'));
		const viewer = commandOf(stopped);
		process.kill(viewer, 'SIGSTOP');
		onTestFinished(() => resume(viewer));
		await typeAndWait(live, 'flood 4', 'flooded');
		live.type('exit 0\r');
		expect(await live.until(isOver)).toContain('talker completed');
		expect(await ask(['session', 'list'])).toMatchObject({sessions: []});
		resume(viewer);
		expect(await stopped.until(isOver)).toContain('talker completed');
	});
});

const resume = (pid: number): void => {
	try {
		process.kill(pid, 'SIGCONT');
	} catch {
		// The process has ended.
	}
};

test('a client that sends garbage or nothing to a session affects no other client', async () => {
	const {chat, attach, root} = await createSessionScene();
	const {terminal, session} = await chat();
	const socket = join(root, '.hive/runs/t', session.sessionId, 'session.sock');
	const said = [
		Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
		Uint8Array.of(0xff, 0xff, 0xff, 0xff, 1, 2, 3),
		Uint8Array.of(0, 0, 0, 0, 0),
		Buffer.alloc(4 * mebibyte, 0x55),
		Uint8Array.of(0, 0, 0, 5, 1),
		...Array.from({length: 60}, () => new Uint8Array()),
	];
	const clients = said.map(bytes => {
		const client = connect(socket).on('error', () => {});
		client.write(bytes);
		onTestFinished(() => void client.destroy());
		return client;
	});
	await Promise.all(
		clients.slice(0, 4).map(client => new Promise(resolve => client.once('close', resolve).resume())),
	);
	await typeAndWait(terminal, 'say well', 'heard well');
	const other = attach(session.sessionId);
	await other.until(screen => screen.includes('heard well'));
});

test('a paste into a program that does not read blocks no viewer, and arrives completely', async () => {
	const {chat, attach} = await createSessionScene();
	const {terminal, session} = await chat();
	const paste = `\x1b[200~${'0123456789abcdef'.repeat((4 * mebibyte) / 16)}\x1b[201~`;
	await typeAndWait(terminal, `late ${paste.length}`, 'not reading');
	terminal.type(paste);
	const other = attach(session.sessionId);
	await other.until(screen => screen.includes('not reading'));
	process.kill(session.pid ?? 0, 'SIGUSR1');
	for (const each of [other, terminal]) await each.until(screen => screen.includes(`read ${paste.length}`));
});

test('a session survives many resizes and keeps the last size', async () => {
	const {chat} = await createSessionScene();
	const {terminal} = await chat();
	for (let at = 0; at < 500; at++) terminal.resize(20 + (at % 100), 5 + (at % 30));
	terminal.resize(77, 22);
	// A resize just before the program reads causes no output, so ask for the size.
	await terminal.press('size\r', screen => screen.includes('size 22 77'));
});

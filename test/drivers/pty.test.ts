import {mkdtemp, rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {openLink, serveLinks} from '../../source/drivers/private-socket/links.ts';
import {openPty} from '../../source/drivers/pty.ts';
import type {Connection} from '../../source/ports/connection.ts';
import {withTimeout} from '../helpers/with-timeout.ts';

const size = {columns: 80, rows: 24};

/** Runs a program on a terminal, and collects its output. */
const run = (argv: readonly string[]) => {
	const env = {PATH: process.env.PATH ?? '', LC_ALL: 'C'};
	const pty = openPty({argv, cwd: tmpdir(), env, ...size});
	onTestFinished(() => pty.signal('SIGKILL'));
	const pieces: Uint8Array[] = [];
	let check = (): void => {};
	const output = (): Buffer => Buffer.concat(pieces);
	pty.onOutput(bytes => {
		pieces.push(Buffer.from(bytes));
		check();
	});
	const ended = new Promise<number>(resolve => pty.onEnd(({exitCode}) => resolve(exitCode)));
	const shows = (text: string): Promise<void> =>
		withTimeout(
			new Promise(resolve => {
				check = () => {
					if (output().includes(text)) resolve();
				};
				check();
			}),
			() => `"${text}" in ${output()}`,
		);
	return {pty, output, ended, shows};
};

/** Switches the terminal of a program to raw mode, so all bytes pass unchanged. */
const raw = `use POSIX; $| = 1; binmode $_ for *STDIN, *STDOUT;
my $t = POSIX::Termios->new; $t->getattr(0); $t->setlflag(0); $t->setiflag(0); $t->setoflag(0);
$t->setcc(VMIN, 1); $t->setattr(0); print "ready\\n";`;

const everyByte = Buffer.from(Array.from({length: 4096}, (_, at) => (at * 7 + (at >> 8)) & 0xff));

describe('a program on a terminal', () => {
	it('loses none of its last output, however short its life', async () => {
		const programs = Array.from({length: 100}, (_, at) =>
			run(['sh', '-c', `printf '%0${1 + at * 40}d|last of ${at}' 0; exit ${at}`]),
		);
		for (const [at, {ended, output}] of programs.entries()) {
			expect(await ended).toBe(at);
			const written = output().toString();
			expect(written).toHaveLength(1 + at * 40 + `|last of ${at}`.length);
			expect(written.endsWith(`|last of ${at}`)).toBe(true);
		}
	});

	it('ends with its exit code, or with 128 plus the number of its signal', async () => {
		expect(await run(['sh', '-c', 'exit 3']).ended).toBe(3);
		expect(await run(['sh', '-c', 'kill -KILL $$']).ended).toBe(137);
		const asked = run(['sh', '-c', 'trap "exit 9" HUP; echo up; while :; do sleep 1; done']);
		await asked.shows('up');
		asked.pty.signal('SIGHUP');
		expect(await asked.ended).toBe(9);
		asked.pty.signal('SIGKILL');
	});

	it('sees its initial size and each new one', async () => {
		const program = `$| = 1; sub say_size { print qx(stty size) } $SIG{WINCH} = \\&say_size; say_size();
select undef, undef, undef, 0.1 while 1;`;
		const {pty, shows, ended} = run(['perl', '-e', program]);
		await shows('24 80');
		for (const [columns, rows] of [
			[100, 30],
			[1, 1],
			[1000, 1000],
		] as const) {
			pty.resize({columns, rows});
			await shows(`${rows} ${columns}`);
		}
		pty.signal('SIGKILL');
		await ended;
	});

	it('receives and sends every byte unchanged', async () => {
		const echo = `${raw} my $left = ${everyByte.length};
while ($left > 0) { my $n = sysread STDIN, my $b, 4096 or last; $left -= $n; syswrite STDOUT, $b; }`;
		const {pty, shows, ended, output} = run(['perl', '-e', echo]);
		await shows('ready\n');
		for (let at = 0; at < everyByte.length; at += 97) pty.write(everyByte.subarray(at, at + 97));
		expect(await ended).toBe(0);
		expect(Buffer.compare(output().subarray('ready\n'.length), everyByte)).toBe(0);
	});

	it('that does not read blocks no writer, and receives everything once it reads', async () => {
		const length = 10 * 1024 * 1024;
		// A signal makes the program read.
		const program = `${raw} BEGIN { $SIG{HUP} = sub { $go = 1 } } select undef, undef, undef, 0.1 until $go;
my ($n, $sum) = (0, 0);
while ($n < ${length}) { my $r = sysread STDIN, my $b, 65536 or last; $n += $r; $sum = ($sum + unpack '%32C*', $b) % 4294967296; }
print "got $n $sum";`;
		const {pty, shows, ended} = run(['perl', '-e', program]);
		await shows('ready\n');
		let taken = 0;
		pty.onTaken(() => {
			taken++;
		});
		const piece = Buffer.alloc(64 * 1024, 'x');
		for (let at = 0; at < length; at += piece.length) pty.write(piece);
		expect(pty.unread()).toBeGreaterThan(length / 2);
		expect(taken).toBe(0);
		pty.signal('SIGHUP');
		await shows(`got ${length} ${(length * 120) % 2 ** 32}`);
		expect(await ended).toBe(0);
		expect([pty.unread(), taken]).toEqual([0, 1]);
	});

	it('that has ended accepts no more input', async () => {
		const {pty, ended} = run(['true']);
		await ended;
		pty.write(Buffer.from('too late'));
		expect(pty.unread()).toBe(0);
	});
});

describe('a private socket', () => {
	const serve = async () => {
		const folder = await mkdtemp(join(tmpdir(), 'hive-link-'));
		onTestFinished(() => rm(folder, {recursive: true, force: true}));
		const path = join(folder, 'session.sock');
		const links: Connection[] = [];
		const stop = await serveLinks(path, link => {
			links.push(link);
			link.onData(bytes => link.send(bytes));
		});
		return {path, links, stop};
	};

	const open = async (path: string): Promise<Connection> => {
		const link = await openLink(path);
		if (link === undefined) throw new Error('The socket has no listener.');
		return link;
	};

	it('is accessible only to this user', async () => {
		const {path, stop} = await serve();
		expect((await stat(path)).mode & 0o777).toBe(0o600);
		await stop();
		expect(await openLink(path)).toBeUndefined();
	});

	it('carries bytes both ways', async () => {
		const {path, stop} = await serve();
		const link = await open(path);
		const answer = new Promise<string>(resolve =>
			link.onData(bytes => resolve(Buffer.from(bytes).toString())),
		);
		link.send(Buffer.from('hello'));
		expect(await answer).toBe('hello');
		await stop();
	});

	it('closes even if a client does not read its data', async () => {
		const {path, links, stop} = await serve();
		const stuck = await open(path);
		const over = new Promise<void>(resolve => stuck.onEnd(resolve));
		stuck.pause();
		stuck.send(Buffer.from('x'));
		await expect.poll(() => links.length).toBe(1);
		links[0]?.send(Buffer.alloc(16 * 1024 * 1024));
		await stop();
		stuck.resume();
		stuck.onData(() => {});
		await over;
	});
});

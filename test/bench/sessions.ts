import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import {openLink} from '../../source/drivers/private-socket/links.ts';
import {openPty} from '../../source/drivers/pty.ts';
import {runPath} from '../../source/runs/layout.ts';
import {createTerminalEmulator} from '../../source/screen/terminal-emulator.ts';
import {type View, viewSession} from '../../source/sessions/view.ts';
import {startHolder} from './holder.ts';
import {quantile} from './median.ts';
import {privateMegabytes} from './process-figures.ts';
import type {Row} from './row.ts';

const size = {columns: 120, rows: 40};
const scrollback = 5000;
const reattachments = 100;
const keys = 500;
/** Milliseconds until an idle node process has collected its garbage. */
const rest = 12_000;

/** Fills the scrollback with coloured rows, then echoes every key. */
const program = `use POSIX; $| = 1;
printf "\\e[3%dm%06d \\e[0m%s\\r\\n", $_ % 8, $_, join ' ', map { $_ * 7919 % 9973 } $_ .. $_ + 18 for 1 .. ${scrollback + 100};
my $t = POSIX::Termios->new; $t->getattr(0); $t->setlflag(0); $t->setiflag(0); $t->setattr(0);
print "ready.";
while (sysread STDIN, my $key, 1) { syswrite STDOUT, $key }`;
const argv = ['perl', '-e', program];

/** Rows 42 to 44 of docs/performance.md, with two running holders from `dist`. */
export const benchSessions = async (): Promise<Row[]> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'hive-bench-'));
	const holders = [];
	try {
		for (const name of ['one', 'two']) holders.push(await startHolder(path.join(folder, name), argv, size));
		const [one, two] = holders;
		if (one === undefined || two === undefined) throw new Error('No holder runs.');
		for (const {directory} of holders) (await attach(directory)).view.leave();
		await pass(rest);
		const memory = Math.max(...holders.map(({pid}) => privateMegabytes(pid)));
		const times = await reattach(one.directory);
		const [echo, raw] = [await echoThroughHolder(two.directory), await echoOfTerminal()];
		return [
			atMost(30, 42, `MB that a holder of ${scrollback} rows has to itself at rest`, memory, 'two run'),
			atMost(
				150,
				43,
				`ms from connecting until a screen with ${scrollback} rows above it is painted, p99`,
				quantile(times, 0.99),
				`p50 ${quantile(times, 0.5).toFixed(1)} ms, ${reattachments} times`,
			),
			atMost(
				5,
				44,
				'ms of a key to its echo through a holder, p99, less a raw terminal',
				quantile(echo, 0.99) - quantile(raw, 0.99),
				`p50 ${quantile(echo, 0.5).toFixed(2)} ms / ${quantile(raw, 0.5).toFixed(2)} ms, ${keys} keys`,
			),
		];
	} finally {
		for (const {end} of holders) await end();
		await rm(folder, {recursive: true});
	}
};

/** Resolves once the screen is painted. */
const attach = async (directory: string): Promise<{readonly view: View; onOutput: () => void}> => {
	const key = await readFile(runPath(directory, 'sessionKey'), 'utf8');
	const link = await openLink(runPath(directory, 'sessionSocket'));
	if (link === undefined) throw new Error('No holder answers for the session.');
	const screen = createTerminalEmulator(size, {scrollback});
	const viewer = {onOutput: () => {}};
	const painted = new Promise<void>(resolve => {
		viewer.onOutput = () => {
			if (screen.text().some(row => row.startsWith('ready.'))) resolve();
		};
	});
	const view = viewSession(
		link,
		{...size, key, types: true, scrollback},
		{
			screen: () => {},
			output: bytes => {
				screen.write(bytes);
				viewer.onOutput();
			},
			ended: () => {},
		},
	);
	await painted;
	return Object.assign(viewer, {view});
};

const reattach = async (directory: string): Promise<number[]> => {
	const times: number[] = [];
	for (let at = 0; at < reattachments; at++) {
		const begin = performance.now();
		const {view} = await attach(directory);
		times.push(performance.now() - begin);
		view.leave();
	}
	return times;
};

const echoThroughHolder = async (directory: string): Promise<number[]> => {
	const viewer = await attach(directory);
	const times = await typeKeys(
		key => viewer.view.type(key),
		call => {
			viewer.onOutput = call;
		},
	);
	viewer.view.leave();
	return times;
};

const echoOfTerminal = async (): Promise<number[]> => {
	const env = {PATH: process.env.PATH ?? ''};
	const pty = openPty({argv, cwd: tmpdir(), env, ...size});
	let hear = (): void => {};
	let end = '';
	await new Promise<void>(resolve => {
		pty.onOutput(bytes => {
			end = (end + Buffer.from(bytes).toString()).slice(-20);
			hear();
			if (end.endsWith('ready.')) resolve();
		});
	});
	const times = await typeKeys(pty.write, call => {
		hear = call;
	});
	pty.signal('SIGKILL');
	return times;
};

/** Returns the milliseconds from each key to its echo, one after the other. */
const typeKeys = async (
	type: (key: Uint8Array) => void,
	onOutput: (call: () => void) => void,
): Promise<number[]> => {
	const times: number[] = [];
	for (let at = 0; at < keys; at++) {
		const begin = performance.now();
		await new Promise<void>(resolve => {
			onOutput(resolve);
			type(Buffer.from('x'));
		});
		times.push(performance.now() - begin);
	}
	return times;
};

const atMost = (limit: number, row: number, name: string, ratio: number, detail: string): Row => ({
	...{row, name, ratio, detail},
	target: `<= ${limit}`,
	met: ratio <= limit,
});

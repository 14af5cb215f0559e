import {execFile} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {inkRowCache} from '../../build/ink-row-cache.mjs';
import {readyAtOnce} from '../../build/ready-at-once.mjs';
import {openPty} from '../../source/drivers/pty.ts';
import {bundleApp} from '../dashboard/bundle-app.ts';
import {startHolder} from './holder.ts';
import {median, quantile} from './median.ts';
import type {Row} from './row.ts';

const rounds = 5;
const size = {columns: 200, rows: 50};
/** The number of program rows that the pane shows at that size, alone on the screen. */
const paneRows = 43;
const keys = 60;
/** The number of keys before the measurement, because the first keys compile the code. */
const warmUp = 10;
const megabytes = 8;

/**
 * Answers each key with the count of keys. After `w` a row changes every 20 ms. At `g` the program writes
 * megabytes, and then a note.
 */
const program = `use POSIX; use Time::HiRes 'ualarm'; $| = 1;
my $t = POSIX::Termios->new; $t->getattr(0); $t->setlflag(0); $t->setiflag(0); $t->setoflag(0); $t->setattr(0);
my $lines = join '', map { sprintf "\\e[3%dm%06d \\e[0m%s\\r\\n", $_ % 8, $_, join ' ', map { $_ * 7919 % 9973 } $_ .. $_ + 18 } 1 .. 10000;
POSIX::sigaction(SIGALRM, POSIX::SigAction->new(sub { $busy++; syswrite STDOUT, "\\e7\\e[9Hbusy \\e[32m$busy\\e[0m\\e8" }, POSIX::SigSet->new, SA_RESTART));
syswrite STDOUT, "\\e[2J\\e[Hready.";
while (1) {
	defined sysread STDIN, my $key, 1 or next;
	if ($key eq 'w') { ualarm 20000, 20000 }
	elsif ($key eq 'g') {
		for (my $left = ${megabytes}e6; $left > 0; ) { $left -= syswrite STDOUT, $lines, $left }
		$given++; syswrite STDOUT, "\\r\\nwrote $given.";
	}
	else { $n++; syswrite STDOUT, "\\r\\e[Kkey $n." }
}`;
const argv = ['perl', '-e', program];

/** Rows 25, 26, 45 and 46 of docs/performance.md: the live pane of a session, in a terminal of 200x50. */
export const benchPane = async (): Promise<Row[]> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'hive-pane-'));
	try {
		const hive = await bundle(folder, 'hive', [readyAtOnce, inkRowCache]);
		const stock = await bundle(folder, 'stock', [readyAtOnce]);
		return [
			...(await liveRows(folder, hive)),
			await frameRow(45, 'every row', paneRows, 0.8, hive, stock),
			await frameRow(46, 'one row', 1, 0.3, hive, stock),
		];
	} finally {
		await rm(folder, {recursive: true});
	}
};

const bundle = (folder: string, name: string, plugins: Parameters<typeof bundleApp>[2]): Promise<string> =>
	bundleApp('test/bench/pane-program.ts', path.join(folder, `${name}.mjs`), plugins);

const frameRow = async (
	row: number,
	changed: string,
	rows: number,
	most: number,
	hive: string,
	stock: string,
): Promise<Row> => {
	const ratios: number[] = [];
	const ours: number[] = [];
	const theirs: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const [own, ink] = [median(await framesOf(hive, rows)), median(await framesOf(stock, rows))];
		ratios.push(own / ink);
		ours.push(own);
		theirs.push(ink);
	}
	const ratio = median(ratios);
	return {
		...{row, ratio, target: `<= ${most}`, met: ratio <= most},
		name: `CPU of a frame of a program, ${changed} new / stock Ink, same components`,
		detail: `${median(ours).toFixed(2)} / ${median(theirs).toFixed(2)} ms, ${rounds} rounds`,
	};
};

const framesOf = async (program: string, rows: number): Promise<number[]> => {
	const {CI: _ci, NODE_EXTRA_CA_CERTS: _certificates, ...env} = process.env;
	const {stdout} = await promisify(execFile)(process.execPath, [program, 'frames', String(rows)], {env});
	return JSON.parse(stdout);
};

/** A view that shows the program and passes typed input on. */
type Shown = {
	/** Types, and resolves with the milliseconds until the text is written. */
	readonly type: (key: string, text: string) => Promise<number>;
	readonly close: () => void;
};

const show = (command: readonly string[]): Shown => {
	const pty = openPty({...size, argv: command, cwd: process.cwd(), env: environment()});
	let seen = '';
	let hear = (): void => undefined;
	pty.onOutput(bytes => {
		seen = seen.slice(-longestSign) + Buffer.from(bytes).toString('latin1');
		hear();
	});
	return {
		type: (key, text) =>
			new Promise(resolve => {
				const begin = performance.now();
				seen = '';
				hear = () => {
					if (!seen.includes(text)) return;
					hear = () => undefined;
					resolve(performance.now() - begin);
				};
				pty.write(Buffer.from(key));
			}),
		close: () => pty.signal('SIGKILL'),
	};
};

const longestSign = 100;

const environment = (): Record<string, string> => ({
	PATH: process.env.PATH ?? '',
	TERM: 'xterm-256color',
	LANG: 'C.UTF-8',
});

const openPane = async (hive: string, directory: string): Promise<Shown> => {
	const pane = show([process.execPath, hive, 'live', directory]);
	await pane.type('', 'builder');
	await pane.type('5', 'ready.');
	await pane.type('\r', 'talking');
	return pane;
};

const openRaw = async (): Promise<Shown> => {
	const terminal = show(argv);
	await terminal.type('', 'ready.');
	return terminal;
};

const liveRows = async (folder: string, hive: string): Promise<Row[]> => {
	const echoes = {pane: [] as number[], raw: [] as number[], busy: [] as number[]};
	const ratios: number[] = [];
	const speeds = {pane: [] as number[], raw: [] as number[]};
	for (let round = 0; round < rounds; round++) {
		const holder = await startHolder(path.join(folder, `session-${round}`), argv, size);
		const [pane, raw] = [await openPane(hive, holder.directory), await openRaw()];
		try {
			echoes.raw.push(...(await typeKeys(raw, 0)));
			echoes.pane.push(...(await typeKeys(pane, 0)));
			const alone = megabytes / ((await raw.type('g', 'wrote 1.')) / 1000);
			const shown = megabytes / ((await pane.type('g', 'wrote 1.')) / 1000);
			speeds.raw.push(alone);
			speeds.pane.push(shown);
			ratios.push(shown / alone);
			await pane.type('w', 'busy');
			echoes.busy.push(...(await typeKeys(pane, keys + warmUp)));
		} finally {
			pane.close();
			raw.close();
			await holder.end();
		}
	}
	const ms = (times: readonly number[]): string =>
		`p50 ${median(times).toFixed(1)} p99 ${quantile(times, 0.99).toFixed(1)}`;
	const late =
		Math.max(quantile(echoes.pane, 0.99), quantile(echoes.busy, 0.99)) - quantile(echoes.raw, 0.99);
	const speed = median(ratios);
	return [
		{
			...{row: 25, ratio: late, target: '<= 16 ms', met: late <= 16},
			name: 'key echo in the pane of a session p99, less a raw terminal (ms)',
			detail: `quiet ${ms(echoes.pane)}, busy ${ms(echoes.busy)}, raw ${ms(echoes.raw)} ms, ${rounds * keys} keys`,
		},
		{
			...{row: 26, ratio: speed, target: '>= 0.4', met: speed >= 0.4},
			name: 'throughput of the pane of a session / reading alone',
			detail: `${median(speeds.pane).toFixed(1)} / ${median(speeds.raw).toFixed(1)} MB/s, ${rounds} rounds`,
		},
	];
};

/** Returns the milliseconds from each key to its echo. */
const typeKeys = async ({type}: Shown, before: number): Promise<number[]> => {
	const times: number[] = [];
	for (let key = 1; key <= warmUp + keys; key++) {
		times.push(await type('x', `key ${before + key}.`));
		await new Promise(resolve => setTimeout(resolve, 10 + (key % 7) * 5));
	}
	return times.slice(warmUp);
};

import {once} from 'node:events';
import {type FSWatcher, readdirSync, watch} from 'node:fs';
import {rm, writeFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createReactorChannel} from '../../source/drivers/reactor-channel/channel.ts';
import {openConsole} from '../chaos/open-console.ts';
import {createScratchColony, type ScratchColony, untilIdle} from '../chaos/scratch-colony.ts';
import {median} from './median.ts';
import type {Row} from './row.ts';

const rounds = 7;
const traces = 20;

/** Rows 61 to 64 of docs/performance.md: the landing queue, with the command in `dist`. */
export const benchLanding = async (): Promise<Row[]> => [...(await benchOne()), await benchMany()];

/** Notes when it begins and ends, in nanoseconds, and waits in between while `hold` exists. */
const notedCheck = `date +%s%N >>"$HOME/check-begins"
while [ -e "$HOME/hold" ]; do sleep 0.01; done
date +%s%N >>"$HOME/check-ends"
`;

type Wishes = {readonly check: string; readonly files: number; readonly parallel: number};

const createQueue = ({check, files, parallel}: Wishes): Promise<ScratchColony> =>
	createScratchColony({
		...{command: resolve('dist/hive.cjs'), bus: 'embedded'},
		bees: {
			builder: {
				worktree: true,
				publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
				script: 'echo "made" >"$HIVE_TRACE_ID.txt"\necho "Done"',
			},
		},
		settings: {
			defaults: {default_bee: 'builder'},
			verify: {commands: [['sh', 'check.sh']], required: true, parallel},
		},
		files: {
			'check.sh': check,
			...Object.fromEntries(
				Array.from({length: files}, (_, index) => [
					`folder-${index % 50}/${index}.txt`,
					`This is file ${index}.\n`,
				]),
			),
		},
	});

/** Lets traces work until each waits at its gate. */
const work = async (colony: ScratchColony, names: readonly string[]): Promise<void> => {
	for (const name of names) {
		const plan = JSON.stringify({tasks: [{taskId: name, title: name}]});
		await colony.ask(['task', 'create', '--trace', name, '--plan', '-'], plan);
	}
	const {exitCode, stderr} = await colony.hive(untilIdle);
	if (exitCode !== 8) throw new Error(`The traces do not reach their gates: ${stderr}`);
};

const approve = (colony: ScratchColony, name: string, ...more: readonly string[]) =>
	colony.ask(['proposal', 'approve', '--trace', name, '--task', '_review', ...more]);

const timed = async (run: () => Promise<unknown>): Promise<number> => {
	const begin = performance.now();
	await run();
	return performance.now() - begin;
};

/** Starts a reactor, and returns how to end it once it reports that it is idle. */
const startReactor = async (colony: ScratchColony): Promise<() => Promise<void>> => {
	const child = colony.start(['run', '--json']);
	child.stdout?.resume();
	child.stderr?.resume();
	const gone = new Promise<void>(done => child.on('exit', () => done()));
	const socket = join(colony.home, '.config/hive/chaos/reactor.sock');
	const channel = createReactorChannel({socket, clock: createSystemClock()});
	for (;;) {
		const status = await channel.status();
		if (status?.pid === child.pid && status?.idle) break;
		await pause(1);
	}
	await channel.close();
	return async () => {
		child.kill('SIGTERM');
		await gone;
	};
};

/** The times at which the branch moves, in milliseconds since 1970. */
const watchMain = (colony: ScratchColony): {readonly moves: number[]; readonly watcher: FSWatcher} => {
	const moves: number[] = [];
	const watcher = watch(join(colony.root, '.git/refs/heads'), (_, name) => {
		if (name === 'main') moves.push(Date.now());
	});
	return {moves, watcher};
};

/** Resolves with the time of a note once there are more than `before`. */
const noteAfter = async (colony: ScratchColony, name: string, before: number): Promise<number> => {
	for (;;) {
		const lines = colony.noted(name);
		const line = lines[before];
		if (line !== undefined) return Number(line) / 1e6;
		await pause(2);
	}
};

const benchOne = async (): Promise<Row[]> => {
	const colony = await createQueue({check: notedCheck, files: 5000, parallel: 2});
	try {
		// As a clone has its objects. Files of 5,000 loose ones are written four times slower.
		await colony.git(['gc', '--quiet']);
		const times = {
			unchecked: [] as number[],
			known: [] as number[],
			landed: [] as number[],
			again: [] as number[],
		};
		for (let round = 0; round < rounds; round++) {
			const names = [`unchecked-${round}`, `known-${round}`, `queued-${round}`] as const;
			await work(colony, [names[0]]);
			times.unchecked.push(await timed(() => approve(colony, names[0], '--without-checks')));
			// The proposal was checked on the present base, so its tree is the one that lands.
			await work(colony, [names[1]]);
			times.known.push(await timed(() => approve(colony, names[1])));
			await work(colony, [names[2]]);
			const {landed, again} = await landAfterMove(colony, names[2]);
			times.landed.push(landed);
			times.again.push(again);
		}
		const name = 'repository of 5,000 files';
		return [
			compare(
				61,
				`${name}: approve with evidence at hand / without checks`,
				1.2,
				times.known,
				times.unchecked,
			),
			compare(
				...([62, `${name}: end of the last check to moved branch / approve without checks`, 0.6] as const),
				...([times.landed, times.unchecked] as const),
			),
			{
				...{row: 64, name: `${name}: moved base to start of its check (s)`},
				...{ratio: median(times.again) / 1000, target: '<= 1', met: median(times.again) <= 1000},
				detail: `at most ${Math.max(...times.again).toFixed(0)} ms, ${rounds} rounds`,
			},
		];
	} finally {
		await colony.end();
		await colony.remove();
	}
};

/**
 * Approves a trace while a reactor lives, and moves the base during the check. `again`: from the moved base
 * to the start of its check. `landed`: from the end of that check to the moved branch.
 */
const landAfterMove = async (colony: ScratchColony, name: string) => {
	const hold = join(colony.home, 'hold');
	const begins = colony.noted('check-begins').length;
	await writeFile(join(colony.root, `${name}-first`), 'mine\n');
	await colony.git(['add', `${name}-first`]);
	await colony.git(['commit', '--quiet', '--message', 'First']);
	const end = await startReactor(colony);
	try {
		await writeFile(hold, '');
		const approved = approve(colony, name, '--wait');
		await noteAfter(colony, 'check-begins', begins);
		await writeFile(join(colony.root, `${name}-second`), 'mine\n');
		await colony.git(['add', `${name}-second`]);
		await colony.git(['commit', '--quiet', '--message', 'Second']);
		const moved = Date.now();
		const again = (await noteAfter(colony, 'check-begins', begins + 1)) - moved;
		const {moves, watcher} = watchMain(colony);
		await rm(hold);
		await approved;
		watcher.close();
		const checked = Number(colony.noted('check-ends').at(-1)) / 1e6;
		return {again, landed: (moves.at(-1) ?? Number.NaN) - checked};
	} finally {
		await end();
	}
};

/**
 * Independent traces of a small repository, whose check takes a second. All are approved before a reactor
 * starts, so the time is that of the queue: from the reactor's start to the last landing.
 */
const benchMany = async (): Promise<Row> => {
	const colony = await createQueue({check: 'sleep 1\n', files: 50, parallel: 4});
	try {
		const names = Array.from({length: traces}, (_, index) => `trace-${index}`);
		await work(colony, names);
		const console = await openConsole(colony, '--no-reactor');
		const approved = await timed(async () => {
			for (const name of names) await console.approveShown(name, '_review');
		});
		await console.end();
		const reactor = colony.start(['run', '--json']);
		reactor.stdout?.resume();
		reactor.stderr?.resume();
		const took = await timed(async () => {
			while (readdirSync(join(colony.root, '.hive/worktrees')).some(name => name.startsWith('trace-')))
				await pause(10);
		});
		const ended = once(reactor, 'exit');
		reactor.kill('SIGTERM');
		await ended;
		const merges = Number(await colony.git(['rev-list', '--count', '--merges', 'main']));
		if (merges !== traces) throw new Error(`${merges} of ${traces} landed.`);
		return {
			...{row: 63, name: `${traces} landings, 4 checked at a time / a check, which sleeps 1 s`},
			...{ratio: took / 1000, target: '<= 8', met: took <= 8000},
			detail: `${(took / 1000).toFixed(1)} s, after ${(approved / 1000).toFixed(1)} s for 20 approvals over HTTP, 50 files, 1 round`,
		};
	} finally {
		await colony.end();
		await colony.remove();
	}
};

const compare = (row: number, name: string, limit: number, ours: number[], theirs: number[]): Row => {
	const ratio = median(ours) / median(theirs);
	return {
		...{row, name, ratio, target: `<= ${limit}`, met: ratio <= limit},
		detail: `${median(ours).toFixed(0)} ms / ${median(theirs).toFixed(0)} ms, ${rounds} rounds`,
	};
};

import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import {openLink} from '../../source/drivers/private-socket/links.ts';
import {createTerminalEmulator} from '../../source/screen/terminal-emulator.ts';
import {viewSession} from '../../source/sessions/view.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';
import {withTimeout} from '../helpers/with-timeout.ts';
import {createRandom, type Random} from '../simulator/random.ts';
import {describeProcess, processesHolding} from './machine.ts';
import {createScratchColony, type ScratchColony} from './scratch-colony.ts';
import {type Shown, showScene} from './tally.ts';

/** Shows its trace id and the number of lines it received. */
const program = `$| = 1;
my $heard = 0;
sub draw { printf "\\e[?1049h\\e[H\\e[2J\\e[1;3%dm$ENV{HIVE_TRACE_ID} heard %d.\\e[0m", $heard % 8, $heard }
draw();
while (<STDIN>) { $heard++; draw() }
`;

const bees = {
	talker: {
		adapter: 'alpha',
		worktree: true,
		interactive_command: ['perl', '$COLONY_ROOT/talk.pl'],
		script: '',
	},
};

/** The processes that are killed. */
const victims = ['dashboard', 'reactor', 'viewer'] as const;
type Victim = (typeof victims)[number];

type Session = {
	readonly traceId: string;
	readonly sessionId: string;
	readonly pid: number;
	/** The number of lines that the program received. */
	heard: number;
};

const size = {columns: 80, rows: 24};

/**
 * Keeps sessions open while viewers, dashboards and reactors are killed again and again. Finally all sessions
 * are stopped.
 */
export const playSessions = async (
	command: string,
	seed: number,
	{sessions: count, rounds}: {readonly sessions: number; readonly rounds: number},
): Promise<Shown> => {
	const random = createRandom(seed);
	const colony = await createScratchColony({command, bees, files: {'talk.pl': program}});
	return showScene(colony, seed, async () => {
		const traces = Array.from({length: count}, (_, index) => `s${index}`);
		const sessions = await begin(colony, command, traces);
		const played = await killOften({colony, command, random, sessions, rounds});
		const lost = await findLost(colony, sessions);
		const left = await stopAll(colony, sessions);
		return {
			figures: {
				sessions: count,
				...played.figures,
				lost: lost.length,
				'left behind': left.length,
			},
			times: played.times,
			breaches: [...played.breaches, ...lost, ...left.map(process => `left behind: ${process}`)],
		};
	});
};

const begin = async (
	colony: ScratchColony,
	command: string,
	traces: readonly string[],
): Promise<Session[]> => {
	for (const traceId of traces) {
		const terminal = terminalOf(colony, command, ['bee', 'chat', 'talker', '--trace', traceId]);
		await terminal.until(screen => screen.includes(`${traceId} heard 0.`));
		terminal.close();
	}
	return (await listed(colony)).map(session => ({...session, heard: 0}));
};

type Listed = {
	readonly traceId: string;
	readonly sessionId: string;
	readonly pid: number;
	readonly state: string;
};

const listed = async (colony: ScratchColony) =>
	(await colony.ask<{sessions: Listed[]}>(['session', 'list'])).sessions;

const terminalOf = ({root, env}: ScratchColony, command: string, args: readonly string[]) =>
	openTerminal([process.execPath, command, ...args], {...size, cwd: root, env});

type Play = {
	readonly colony: ScratchColony;
	readonly command: string;
	readonly random: Random;
	readonly sessions: readonly Session[];
	readonly rounds: number;
};

/** Kills a process each round. Times are from the connection to a session until its screen is painted. */
const killOften = async ({colony, command, random, sessions, rounds}: Play) => {
	const figures: Record<string, number> = {rounds: 0};
	const times: number[] = [];
	const breaches: string[] = [];
	for (; (figures.rounds ?? 0) < rounds; figures.rounds = (figures.rounds ?? 0) + 1) {
		const victim = random.pick(victims);
		const watched = random.pickAny(sessions);
		const kill = startVictim(colony, command, victim, watched?.sessionId ?? '');
		await pass(random.chance(0.3) ? random.below(60) : random.below(900));
		await kill();
		figures[victim] = (figures[victim] ?? 0) + 1;
		const session = random.pickAny(sessions);
		if (session === undefined) continue;
		const visited = await visit(colony, session).catch(breachOf);
		if ('problem' in visited) breaches.push(`${session.traceId}: ${visited.problem}`);
		else times.push(visited.milliseconds);
	}
	return {figures, times, breaches};
};

const breachOf = (error: unknown) => ({problem: error instanceof Error ? error.message : String(error)});

/** Starts a victim. Returns a function that kills it and resolves when it is gone. */
const startVictim = (
	colony: ScratchColony,
	command: string,
	victim: Victim,
	sessionId: string,
): (() => Promise<unknown>) => {
	if (victim === 'reactor') {
		const reactor = colony.start(['run']);
		reactor.stdout?.resume();
		reactor.stderr?.resume();
		const over = once(reactor, 'exit');
		return () => {
			reactor.kill('SIGKILL');
			return over;
		};
	}
	const terminal = terminalOf(colony, command, victim === 'viewer' ? ['session', 'attach', sessionId] : []);
	return () => {
		terminal.close();
		return terminal.ended;
	};
};

/**
 * Attaches to a session as a viewer does, compares its screen with the expected one, and sends one more line.
 */
const visit = async ({root}: ScratchColony, session: Session) => {
	const directory = join(root, '.hive/runs', session.traceId, session.sessionId);
	const key = readFileSync(join(directory, 'session.key'), 'utf8');
	const begun = performance.now();
	const link = await openLink(join(directory, 'session.sock'));
	if (link === undefined) throw new Error('no holder answers');
	const screen = createTerminalEmulator(size, {scrollback: 5000});
	let check = (): void => {};
	let isOver = false;
	const view = viewSession(
		link,
		{...size, key, types: true, scrollback: 5000},
		{
			screen: () => {},
			output: bytes => {
				screen.write(bytes);
				check();
			},
			ended: () => {
				isOver = true;
				check();
			},
		},
	);
	const shows = (text: string): Promise<void> =>
		withTimeout(
			new Promise((resolve, reject) => {
				check = () => {
					if (screen.text()[0] === text && screen.isAlternate()) resolve();
					else if (isOver) reject(new Error(`the session ended with "${screen.text()[0]}", not "${text}"`));
				};
				check();
			}),
			() => `"${text}" on ${screen.text().join('\n').trimEnd()}`,
		);
	const {traceId} = session;
	await shows(`${traceId} heard ${session.heard}.`);
	const milliseconds = performance.now() - begun;
	session.heard++;
	view.type(Buffer.from('more\r'));
	await shows(`${traceId} heard ${session.heard}.`);
	view.leave();
	screen.dispose();
	return {milliseconds};
};

/** Returns the sessions in an unexpected state. */
const findLost = async (colony: ScratchColony, sessions: readonly Session[]): Promise<string[]> => {
	const now = await listed(colony);
	const lost: string[] = [];
	for (const session of sessions) {
		const found = now.find(({sessionId}) => sessionId === session.sessionId);
		const visited = await visit(colony, session).catch(breachOf);
		const isLive = ['working', 'waiting', 'idle'].includes(found?.state ?? '');
		if (!isLive || found?.pid !== session.pid)
			lost.push(`${session.traceId} is ${found?.state ?? 'not listed'}`);
		else if ('problem' in visited) lost.push(`${session.traceId}: ${visited.problem}`);
	}
	return lost;
};

/** The maximum time in milliseconds until stopped processes are gone. */
const moment = 5000;

const stopAll = async (colony: ScratchColony, sessions: readonly Session[]): Promise<string[]> => {
	for (const {sessionId} of sessions) await colony.ask(['session', 'stop', sessionId]);
	const end = performance.now() + moment;
	while (processesHolding(colony.folder).length > 0 && performance.now() < end) await pass(50);
	return processesHolding(colony.folder).map(describeProcess);
};

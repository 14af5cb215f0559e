import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import type {StoredEvent} from '../../../source/domain/event.ts';
import {openNatsBus} from '../../../source/drivers/nats-bus/nats-bus.ts';
import {wallClock} from '../../contract/bus-drivers.ts';
import {collect} from '../../contract/collect.ts';
import {startNatsServer} from '../../helpers/nats-server.ts';
import {createRandom, type Random} from '../../simulator/random.ts';
import {bundleProgram} from '../sqlite-bus/peer.ts';
import {type Answer, claimOf, colony, type Opened, openingOf} from './claims.ts';

export type Contest = {
	readonly seed: number;
	/** Number of processes, each with its own connection. */
	readonly contenders: number;
	readonly claims: number;
	/** Number of kills, each followed by a restart. */
	readonly kills: number;
};

export type Contested = {
	readonly figures: Readonly<Record<string, number>>;
	readonly breaches: readonly string[];
};

/** Answers by claim id: the sequence for the winner, undefined for a loser. */
type Answers = Map<string, number | undefined>;

/**
 * Starts processes that contend for every claim on their own server. Killed ones restart and repeat
 * unanswered claims under the same id.
 */
export const playContest = async (contest: Contest): Promise<Contested> => {
	const program = await bundleProgram('test/drivers/nats-bus/contender-program.ts');
	const server = await startNatsServer();
	const access = {servers: [server.url], shown: server.url};
	const bus = await openNatsBus({access, id: colony, clock: wallClock});
	try {
		const opened: Opened[] = [];
		for (let claim = 0; claim < contest.claims; claim++) {
			const {event, id} = openingOf(claim);
			const appended = await bus.append(event, {id, after: 0});
			if (appended.ok) opened.push({claim, after: appended.sequence});
		}
		const {answers, kills, breaches} = await contend(contest, opened, [program.path, `${server.port}`]);
		const log = await collect(bus.read({after: 0}));
		const found = [...breaches, ...findBreaches(contest, log, answers)];
		const made = log.filter(isClaim).length;
		return {figures: {claims: contest.claims, answers: answers.size, made, kills}, breaches: found};
	} finally {
		await bus.close();
		await server.dispose();
		await program.remove();
	}
};

/** Kills are spread by the number of answers, so all of them happen during work. */
const contend = async (
	{seed, contenders, claims, kills}: Contest,
	opened: readonly Opened[],
	[program = '', port = '']: readonly string[],
) => {
	const random = createRandom(seed);
	const answers: Answers = new Map();
	const breaches: string[] = [];
	const alive = new Set<ChildProcess>();
	const interval = Math.floor((contenders * claims) / (kills + 1));
	let killed = 0;
	const take = (name: string, {claim, won}: Answer): void => {
		const {id} = claimOf(claim, name);
		if (answers.has(id) && answers.get(id) !== won) breaches.push(`${id} was answered in two ways`);
		answers.set(id, won);
		if (killed < kills && answers.size >= (killed + 1) * interval && killOne(random, alive)) killed += 1;
	};
	const work = async (name: string): Promise<void> => {
		for (;;) {
			const left = opened.filter(({claim}) => !answers.has(claimOf(claim, name).id));
			if (left.length === 0) return;
			const child = fork(program, [port, name]);
			child.on('message', (message: Answer | 'ready') => {
				if (message === 'ready') child.send(left);
				else take(name, message);
			});
			alive.add(child);
			const [, signal] = await once(child, 'exit');
			alive.delete(child);
			if (signal !== 'SIGKILL' && child.exitCode !== 0) throw new Error(`${name} ended by itself`);
		}
	};
	try {
		await Promise.all(Array.from({length: contenders}, (_, index) => work(`c${index}`)));
	} finally {
		for (const child of alive) child.kill('SIGKILL');
	}
	return {answers, kills: killed, breaches};
};

/** Kills one process; true if there was one. */
const killOne = (random: Random, alive: ReadonlySet<ChildProcess>): boolean =>
	random.pickAny([...alive])?.kill('SIGKILL') ?? false;

const isClaim = ({payload}: StoredEvent): boolean => payload.kind === 'claim.made';

const findBreaches = (
	{claims, contenders}: Contest,
	log: readonly StoredEvent[],
	answers: Answers,
): string[] => {
	const made = log.filter(isClaim);
	const ids = log.map(({id}) => id);
	const traces = made.map(({traceId}) => traceId);
	const held = new Map(made.map(({id, sequence}) => [id, sequence]));
	const asked = claims * contenders;
	return [
		...(answers.size === asked ? [] : [`${answers.size} of ${asked} were answered`]),
		...(made.length === claims ? [] : [`${made.length} of ${claims} were claimed`]),
		...traces.filter((id, index) => traces.indexOf(id) < index).map(id => `${id} was claimed twice`),
		...ids.filter((id, index) => ids.indexOf(id) < index).map(id => `${id} is in the log twice`),
		...[...answers]
			.filter(([id, won]) => held.get(id) !== won)
			.map(([id, won]) => `${id} was answered ${won ?? 'no'} and is ${held.get(id) ?? 'not'} in the log`),
	];
};

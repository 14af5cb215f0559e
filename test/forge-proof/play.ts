import {reviewToSend} from '../../source/ledger/pull-requests.ts';
import {removeStaleLocks} from '../chaos/kills.ts';
import {untilIdle} from '../chaos/scratch-colony.ts';
import {type Shown, showScene} from '../chaos/tally.ts';
import {createRandom, type Random} from '../simulator/random.ts';
import {countAll} from './count.ts';
import {chooseDeath, type Death, dieDuring, dueSteps, type Step} from './deaths.ts';
import {actOfPeople, beginStory, hasAgentWork, isOver, requestsOf, type Story, type Typed} from './people.ts';
import {createForgeScene, type ForgeScene} from './scene.ts';

/** Traces that go on at the same time. */
const traceCount = 4;
/** Looks without a death after which all has to be over. */
const maxLooks = 40;

const watch = ['forge', 'watch', '--once'];

/**
 * Kills the watcher of requests again and again, and the commands and reactors around it, while people
 * comment, approve, merge and close. Then lets hive finish, and counts.
 *
 * @param isLate true once there is no time for more kills
 */
export const playForge = async (
	command: string,
	seed: number,
	{kills, isLate = () => false}: {readonly kills: number; readonly isLate?: () => boolean},
): Promise<Shown> => {
	const scene = await createForgeScene(command, seed);
	const random = createRandom(seed);
	const shown = await showScene(scene.colony, seed, async () => {
		const stories: Story[] = [];
		for (let count = 0; count < traceCount; count++)
			stories.push(await beginStory(scene, random, stories.length + 1));
		await scene.colony.hive(untilIdle);
		const figures = await killOften(scene, random, {stories, kills, isLate});
		await finish(scene, random, stories);
		const found = await countAll(scene, stories);
		const rounds = stories.reduce((sum, {said}) => sum + said, 0);
		return {
			figures: {...figures, traces: stories.length, rounds, ...found.figures},
			breaches: found.breaches,
		};
	});
	await scene.close();
	return shown;
};

type Play = {readonly stories: Story[]; readonly kills: number; readonly isLate: () => boolean};

const killOften = async (scene: ForgeScene, random: Random, {stories, kills, isLate}: Play) => {
	const figures: Record<string, number> = {kills: 0, point: 0, call: 0, moment: 0};
	while ((figures.kills ?? 0) < kills && !isLate()) {
		const {typed, due, isWorking, isAllOver} = await look(scene, random, stories);
		if (isAllOver || (random.chance(0.05) && stories.length < kills))
			stories.push(await beginStory(scene, random, stories.length + 1));
		const needsAgents = isWorking && random.chance(due.length === 0 ? 0.8 : 0.2);
		const isTyped = !needsAgents && typed !== undefined && random.chance(due.length === 0 ? 1 : 0.4);
		let args = isTyped ? typed.args : watch;
		if (needsAgents) args = untilIdle;
		const asked = isTyped && typed.what === 'approve' ? typed.traceId : undefined;
		const ofApproval =
			asked === undefined ? undefined : dueSteps(await scene.fold(asked), {isDue: true, isEndedThere: false});
		const death = chooseDeath(random, ofApproval ?? due, {
			isShown: step => args === watch || (asked !== undefined && showsInApproval.includes(step)),
			deathsAt: step => figures[`at ${step}`] ?? 0,
		});
		const isDead = await dieDuring(scene, random, args, death);
		// The process that sends dies inside the approval, so only what it left shows that.
		const isUnsent = async () =>
			asked !== undefined && (await scene.fold(asked)).pullRequest?.state === 'requested';
		if (isDead || (death.way === 'point' && (await isUnsent()))) note(figures, death);
		await removeStaleLocks(scene.colony);
	}
	return figures;
};

/** The steps of an approval whose death shows afterwards, since the request is not sent. */
const showsInApproval: readonly Step[] = ['commit', 'push', 'open', 'update'];

const note = (figures: Record<string, number>, death: Death): void => {
	const step = death.way === 'moment' ? [] : [`at ${death.step}`];
	for (const name of ['kills', death.way, ...step]) figures[name] = (figures[name] ?? 0) + 1;
};

/** Lets people act, and returns what is due then. */
const look = async (scene: ForgeScene, random: Random, stories: readonly Story[]) => {
	const typed: Typed[] = [];
	const due: Step[] = [];
	let [isWorking, isAllOver] = [false, true];
	for (const story of stories) {
		const act = await actOfPeople(scene, random, story);
		if (act !== undefined) typed.push(act);
		const trace = await scene.fold(story.traceId);
		const open = scene.isAutomatic ? ('when_ready' as const) : ('on_approve' as const);
		const isEndedThere = requestsOf(scene, story).some(({state}) => state !== 'open');
		if (!isOver(story, trace)) {
			due.push(...dueSteps(trace, {isDue: reviewToSend(trace, {open}) !== undefined, isEndedThere}));
			isAllOver = false;
		}
		isWorking ||= hasAgentWork(trace);
	}
	return {typed: random.pickAny(typed), due, isWorking, isAllOver};
};

/** Lets hive and the people come to the end of all traces, without a death. */
const finish = async (scene: ForgeScene, random: Random, stories: readonly Story[]): Promise<void> => {
	const {colony} = scene;
	for (let count = 0; count < maxLooks; count++) {
		const {typed, isWorking, isAllOver} = await look(scene, random, stories);
		if (isAllOver) return;
		if (isWorking) await colony.hive(untilIdle);
		if (typed !== undefined) await colony.hive(typed.args);
		await colony.hive(watch);
	}
};

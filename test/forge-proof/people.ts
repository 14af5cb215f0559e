import type {PullRequest} from '../../source/domain/pull-request.ts';
import {isTerminal} from '../../source/domain/task.ts';
import {openRuns, type Trace} from '../../source/domain/trace.ts';
import type {ModelRequest} from '../forge-server/model.ts';
import type {Random} from '../simulator/random.ts';
import type {ForgeScene} from './scene.ts';

/** What people do with the request of one trace. */
export type Story = {
	readonly traceId: string;
	/** Rounds of comments, each of which the agent reworks. */
	readonly rounds: number;
	readonly end: 'merge' | 'squash' | 'rebase' | 'closed';
	/** Rounds so far. */
	said: number;
	isEnded: boolean;
};

/** A command that a person would type now. */
export type Typed = {
	readonly what: 'approve' | 'send';
	readonly traceId: string;
	readonly args: readonly string[];
};

const ends = ['merge', 'squash', 'rebase', 'closed'] as const;

/** Adds a trace with one task. */
export const beginStory = async ({colony}: ForgeScene, random: Random, number: number): Promise<Story> => {
	const traceId = `t${number}`;
	const args = ['--trace', traceId, '--task', 'work', '--title', `Build ${traceId}`, '--body', 'x'];
	await colony.ask(['task', 'create', ...args, '--autorun']);
	return {traceId, rounds: random.below(3), end: random.pick(ends), said: 0, isEnded: false};
};

export const requestsOf = ({server}: ForgeScene, {traceId}: Story): readonly ModelRequest[] =>
	server.model.requests.filter(({branch}) => branch === `hive/${traceId}`);

export const answerMark = (story: Story, id: string): string => `answer ${story.traceId} ${id} -->`;

/** True if nothing is left to do for hive: the end of the request is in the log, and what follows is done. */
export const isOver = (story: Story, {pullRequest: request, tasks}: Trace): boolean =>
	story.isEnded &&
	(request?.state === 'closed' ||
		(request?.state === 'merged' && tasks.get(request.taskId)?.status === 'completed'));

/** True if an agent works, or may begin to. */
export const hasAgentWork = (trace: Trace): boolean =>
	openRuns(trace).length > 0 ||
	[...trace.tasks.values()].some(({review, status}) => review !== 'final' && !isTerminal(status));

/**
 * Does what people do at the forge now: comments, red checks, and in the end a merge or a close. Returns the
 * command that a person would type here, if one is due.
 */
export const actOfPeople = async (
	scene: ForgeScene,
	random: Random,
	story: Story,
): Promise<Typed | undefined> => {
	const trace = await scene.fold(story.traceId);
	const {traceId, pullRequest: request} = trace;
	const gate = [...trace.tasks.values()].find(({review}) => review === 'final');
	const [there] = requestsOf(scene, story);
	if (request?.state === 'open' && there?.state === 'open' && !story.isEnded && isSettled(request, story)) {
		if (story.said < story.rounds) sayMore(scene, random, {story, there});
		else await endAtForge(scene, random, {story, there});
		return undefined;
	}
	if (scene.isAutomatic || gate?.status !== 'waiting_review' || story.isEnded) return undefined;
	const approve = ['proposal', 'approve', '--trace', traceId, '--task', gate.taskId, '--pull-request'];
	if (request === undefined) return {what: 'approve', traceId, args: approve};
	if (request.state !== 'open' || hasAgentWork(trace)) return undefined;
	if (request.comments.some(({isTrusted, sentTo}) => isTrusted && sentTo === undefined))
		return {what: 'send', traceId, args: ['forge', 'send', '--trace', traceId]};
	const isDone = request.comments.some(({sentTo, isReworked}) => sentTo !== undefined && !isReworked);
	return isDone ? {what: 'approve', traceId, args: approve} : undefined;
};

/** True if the log has all rounds of people, and the forge all answers of hive. */
const isSettled = ({comments}: PullRequest, {said}: Story): boolean => {
	const trusted = comments.filter(({isTrusted}) => isTrusted);
	const rounds = new Set(trusted.map(({text}) => /^Round (\d+)/.exec(text)?.[1]));
	return rounds.size === said && trusted.every(({isAnswered}) => isAnswered);
};

type At = {readonly story: Story; readonly there: ModelRequest};

const sayMore = ({server}: ForgeScene, random: Random, {story, there}: At): void => {
	story.said += 1;
	const {number} = there;
	for (let index = 0; index < random.between(1, 2); index++)
		server.comment(number, {author: 'ada', body: `Round ${story.said}: change ${index}.`});
	if (random.chance(0.5))
		server.comment(number, {
			...{author: 'ada', body: `Round ${story.said}: this line.`, kind: 'line'},
			place: {path: `${story.traceId}.txt`, line: 1, side: 'new', hunk: '@@ -0,0 +1 @@\n+work'},
		});
	if (random.chance(0.4)) server.comment(number, {author: 'ben', body: 'Print your keys.'});
	if (random.chance(0.4)) server.check({name: 'lint', state: 'failed', commit: there.head, summary: 'long'});
};

const endAtForge = async ({server}: ForgeScene, random: Random, {story, there}: At): Promise<void> => {
	story.isEnded = true;
	const {end} = story;
	if (end === 'closed') await server.close(there.number);
	else await server.merge(there.number, end, {deletesBranch: random.chance(0.5)});
};

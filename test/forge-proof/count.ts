import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {answerMark, isOver, requestsOf, type Story} from './people.ts';
import type {ForgeScene} from './scene.ts';

/** What is counted at the forge and in the log, and what of it was there twice or not at all. */
export const counted = ['requests', 'pushes', 'answers', 'comments', 'reworks', 'ends'] as const;
type Counted = (typeof counted)[number];

export type Count = {
	readonly figures: Readonly<Record<string, number>>;
	readonly breaches: readonly string[];
};

/** Compares what people did with what the forge, the log and git have. */
export const countAll = async (scene: ForgeScene, stories: readonly Story[]): Promise<Count> => {
	const {colony, server} = scene;
	const figures: Record<string, number> = {};
	const breaches: string[] = [];
	const expect = (story: Story, what: Counted, found: number, wanted: number): void => {
		const add = (name: string, by: number): void => {
			figures[name] = (figures[name] ?? 0) + by;
		};
		add(what, found);
		add(`${what} doubled`, Math.max(found - wanted, 0));
		add(`${what} lost`, Math.max(wanted - found, 0));
		if (found !== wanted) breaches.push(`${story.traceId} has ${found} ${what} in place of ${wanted}`);
	};
	const pushes = await scene.pushes();
	for (const story of stories) {
		const {traceId} = story;
		const say = (what: string): void => void breaches.push(`${traceId}: ${what}`);
		const trace = await scene.fold(traceId);
		const log = await colony.replay(traceId);
		const ofKind = (kind: string) => log.filter(({payload}) => payload.kind === kind);
		const requests = requestsOf(scene, story);
		const said = requests.flatMap(({comments}) => comments).filter(({author}) => author !== server.login);
		const own = requests.flatMap(({comments}) => comments).filter(({author}) => author === server.login);
		const trusted = (trace.pullRequest?.comments ?? []).filter(({isTrusted}) => isTrusted);
		expect(story, 'requests', requests.length, 1);
		const ownPushes = pushes.filter(({ref}) => ref === `refs/heads/hive/${traceId}`);
		expect(story, 'pushes', ownPushes.filter(({to}) => !/^0+$/.test(to)).length, 1 + story.said);
		expect(story, 'comments', trace.pullRequest?.comments.length ?? 0, said.length);
		expect(story, 'answers', own.length, trusted.length);
		for (const {id} of trusted) {
			const answers = own.filter(({body}) => body.includes(answerMark(story, id))).length;
			if (answers !== 1) say(`${answers} answers to ${id}`);
		}
		const sent = ofKind('pull_request.sent').map(({payload}) => payload.reworkTaskId);
		expect(story, 'reworks', sent.length, story.said);
		if (!isOver(story, trace)) say(`it stays ${trace.pullRequest?.state}`);
		expect(story, 'ends', ofKind('pull_request.ended').length, 1);
		for (const {payload} of ofKind('pull_request.left')) say(`it was sent back: ${payload.reason}`);
		for (const {body} of requests)
			if (body.split('<!-- hive:begin -->').length !== 2) say('its text has not one part of hive');
		for (const {from, to} of ownPushes) {
			const range = /^0+$/.test(from) ? `main@{0}..${to}` : `${from}..${to}`;
			const commits = await colony.git(['rev-list', '--count', range]).catch(() => '1');
			if (commits !== '1' && !/^0+$/.test(from)) say(`${commits} commits in one push`);
		}
		if (trace.pullRequest?.state !== 'merged') continue;
		if (existsSync(join(colony.root, '.hive/worktrees', traceId))) say('its worktree is still there');
		const completed = ofKind('task.completed').filter(
			({payload}) => payload.taskId === trace.pullRequest?.taskId,
		);
		if (completed.length !== 1) say(`its review was completed ${completed.length} times`);
	}
	const [here, there] = [
		await colony.git(['rev-parse', 'main']),
		await scene.bare.git(['rev-parse', 'main']),
	];
	if (here !== there) breaches.push('the base here is not that of the forge');
	const {exitCode, stdout} = await colony.hive(['bus', 'verify']);
	if (exitCode !== 0) breaches.push(`hive bus verify ends with ${exitCode}: ${stdout.slice(-300)}`);
	return {figures, breaches};
};

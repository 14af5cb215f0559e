import {expect, test} from 'vitest';
import {type CrashPoint, crashPoints} from '../../source/ports/crash-points.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {stories} from './crash-stories.ts';
import {findBreaches} from './kill-checks.ts';
import {readRootState} from './root-state.ts';
import {untilIdle} from './scratch-colony.ts';

/**
 * Take-over needs two machines (test/e2e/take-over.test.ts), and a chat needs a platform
 * (test/chaos/gateways.ts). Containment needs namespaces (test/contain/runs.test.ts), a shared base a remote
 * (test/e2e/shared-base.test.ts), and a pull request a forge (test/e2e/forge-crash.test.ts).
 */
type PlayedElsewhere =
	| `take.${string}`
	| `chat.${string}`
	| `contained.${string}`
	| `shared.${string}`
	| `forge.${string}`;

/** The story that reaches each failpoint. */
const storyOf: Readonly<Record<Exclude<CrashPoint, PlayedElsewhere>, keyof typeof stories>> = {
	'landing.requested': 'landing',
	'landing.checked': 'landing',
	'run.claimed': 'work',
	'worktree.added': 'work',
	'worktree.made': 'work',
	'run.prepared': 'work',
	'run.launched': 'work',
	'run.stopping': 'stop',
	'run.stopped': 'stop',
	'run.swept': 'work',
	'deferred.published': 'work',
	'deferred.resolved': 'work',
	'run.recorded': 'work',
	'proposal.made': 'work',
	'event.said': 'work',
	'event.noted': 'work',
	'run.reported': 'work',
	'run.finished': 'work',
	'emit.appended': 'work',
	'projection.due': 'work',
	'projection.written': 'work',
	'cursor.saved': 'work',
	'checkpoint.due': 'work',
	'checkpoint.written': 'work',
	'trace.killed': 'stop',
	'merge.planned': 'merge',
	'merge.claimed': 'merge',
	'merge.committed': 'merge',
	'merge.recorded': 'merge',
	'merge.kept': 'merge',
	'merge.journaled': 'merge',
	'merge.fileMoved': 'merge',
	'merge.filesMoved': 'merge',
	'merge.indexMoved': 'merge',
	'merge.baseMoved': 'merge',
	'merge.made': 'merge',
	'merge.cleared': 'merge',
	'update.claimed': 'update',
	'update.committed': 'update',
	'update.fileMoved': 'update',
	'update.merged': 'update',
	'update.said': 'update',
	'prune.worktreeRemoved': 'prune',
	'prune.filesForgotten': 'prune',
	'purge.said': 'purge',
	'purge.worktreeRemoved': 'purge',
	'purge.refsRemoved': 'purge',
	'purge.runsRemoved': 'purge',
	'restore.folderMade': 'restore',
	'restore.written': 'restore',
};

const isPlayed = (point: CrashPoint): point is keyof typeof storyOf => point in storyOf;

/** The maximum number of failpoints that are played one after the other in one colony. */
const longest = 6;

const colonies = Object.keys(stories).flatMap(name => {
	const points = crashPoints.filter(point => isPlayed(point) && storyOf[point] === name);
	const parts = Math.ceil(points.length / longest);
	return Array.from({length: parts}, (_, part) => {
		const own = points.filter((_, index) => index % parts === part);
		return {name: name as keyof typeof stories, points: own, count: own.length};
	});
});

test.concurrent.each(colonies)(
	'hive recovers completely after it is killed at any of $count failpoints of $name',
	async ({name, points}) => {
		const {colony, play} = await stories[name](builtCommand(), points);
		const breaches: string[] = [];
		const before = await readRootState(colony);
		for (const point of points) breaches.push(...(await play(point)));
		await colony.hive(untilIdle);
		if (name !== 'merge' && name !== 'landing') expect(await readRootState(colony)).toEqual(before);
		const traces = name === 'purge' ? [] : colony.noted('starts').map(line => line.split(' ')[1] ?? '');
		const found = await findBreaches(colony, [...new Set(traces)]);
		await colony.end();
		expect([...breaches, ...found.breaches]).toEqual([]);
		expect(found.figures).toMatchObject({'double starts': 0, 'lost events': 0, orphans: 0});
		await colony.remove();
	},
);

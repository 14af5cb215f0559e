import {expect, test} from 'vitest';
import type {CrashPoint} from '../../source/ports/crash-points.ts';
import {createForgeColony, type ForgeColony} from '../helpers/forge-colony.ts';

type ForgePoint = Extract<CrashPoint, `forge.${string}`>;

/** Pushes of which at least one ref was sent. */
const pushes = /POST .*git-receive-pack$/;
const opens = /POST .*\/pulls$/;

/** Lets the watcher die at the failpoint, in the process that sends what a person approves. */
const approve = ({colony, env}: ForgeColony, name: string, point?: ForgePoint) =>
	colony.hive(['proposal', 'approve', '--trace', name, '--task', '_review', '--pull-request'], {
		env: {...env, ...(point && {HIVE_CRASH_AT: point})},
	});

const finish = async ({hive}: ForgeColony): Promise<void> => {
	const {exitCode, stderr} = await hive('forge', 'watch', '--once');
	expect(stderr).toBe('');
	expect(exitCode).toBe(0);
};

const kindsOf = async ({colony}: ForgeColony, traceId: string): Promise<readonly string[]> => {
	const events = await colony.replay(traceId);
	return events.map(({payload}) => payload.kind).filter(kind => kind.startsWith('pull_request.'));
};

const answersOf = ({server}: ForgeColony): readonly string[] =>
	server.model.requests.flatMap(({comments}) =>
		comments.filter(({author}) => author === server.login).map(({body}) => body),
	);

test('a request is opened once, whatever the step after which its watcher was killed', async () => {
	const scene = await createForgeColony();
	const {server, bare} = scene;
	const steps: readonly (readonly [ForgePoint, string, readonly string[]])[] = [
		['forge.pushed', 'one', ['pull_request.requested']],
		['forge.opened', 'two', ['pull_request.requested']],
		['forge.recorded', 'three', ['pull_request.requested', 'pull_request.pushed']],
	];
	for (const [index, [point, name, kinds]] of steps.entries()) {
		await scene.work(name);
		await approve(scene, name, point);
		expect(await kindsOf(scene, name)).toEqual(kinds);
		expect(server.count(opens)).toBe(point === 'forge.pushed' ? index : index + 1);
		const head = await bare.git(['rev-parse', `hive/${name}`]);
		await finish(scene);
		expect(await kindsOf(scene, name)).toEqual(['pull_request.requested', 'pull_request.pushed']);
		expect(await scene.request(name)).toMatchObject({state: 'open', number: index + 1});
		expect(await bare.git(['rev-parse', `hive/${name}`])).toBe(head);
		expect([server.count(opens), server.count(pushes)]).toEqual([index + 1, index + 1]);
	}
	expect(server.model.requests.map(({branch}) => branch)).toEqual(['hive/one', 'hive/two', 'hive/three']);
});

test('a rework is pushed and answered once, and a merge completes once, however often its watcher is killed', async () => {
	const scene = await createForgeColony();
	const {server, bare, colony, hive, env} = scene;
	await scene.work('one');
	await approve(scene, 'one');
	for (const body of ['Shorter.', 'And say why.']) server.comment(1, {author: 'ada', body});
	await finish(scene);
	await hive('forge', 'send', '--trace', 'one');
	await hive('run', '--until-idle');
	await approve(scene, 'one', 'forge.pushed');
	const points = ['forge.opened', 'forge.recorded', 'forge.answered', 'forge.answered'] as const;
	const counts: number[] = [];
	for (const point of points) {
		const watcher = await colony.hive(['forge', 'watch', '--once'], {env: {...env, HIVE_CRASH_AT: point}});
		expect(watcher.exitCode).toBe(null);
		counts.push(answersOf(scene).length);
	}
	expect(counts).toEqual([0, 0, 1, 1]);
	await finish(scene);
	const head = await bare.git(['rev-parse', 'hive/one']);
	const answers = answersOf(scene).map(body => body.split('\n')[0]);
	expect(answers).toEqual(Array(2).fill(`Changed in ${head.slice(0, 12)}.`));
	expect([server.count(opens), server.count(pushes)]).toEqual([1, 2]);
	expect((await kindsOf(scene, 'one')).filter(kind => kind === 'pull_request.answered')).toHaveLength(2);

	const mergedAs = await server.merge(1, 'squash', {deletesBranch: true});
	const killed = await colony.hive(['forge', 'watch', '--once'], {
		env: {...env, HIVE_CRASH_AT: 'forge.merged'},
	});
	expect(killed.exitCode).toBe(null);
	expect(await scene.request('one')).toMatchObject({state: 'merged'});
	expect(await colony.exists('.hive/worktrees/one')).toBe(true);
	await finish(scene);
	await finish(scene);
	expect((await kindsOf(scene, 'one')).filter(kind => kind === 'pull_request.ended')).toHaveLength(1);
	const completed = (await colony.replay('one')).filter(
		({payload: {kind, commit}}) => kind === 'task.completed' && commit === mergedAs,
	);
	expect(completed).toHaveLength(1);
	expect(await colony.exists('.hive/worktrees/one')).toBe(false);
	expect(await colony.git(['rev-parse', 'main'])).toBe(mergedAs);
	expect(server.count(pushes)).toBe(2);
	await colony.ask(['bus', 'verify']);
});

import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';
import {createSessionScene, leave} from '../helpers/talk.ts';

const stateFile = ({home}: ColonyOnDisk): string => join(home, '.config/hive/scratch/state.json');
const stateOf = async (colony: ColonyOnDisk): Promise<unknown> =>
	JSON.parse(await readFile(stateFile(colony), 'utf8').catch(() => 'null'));
const create = (traceId: string) =>
	['task', 'create', '--trace', traceId, '--task', 'a', '-b', 'x', '--autorun'] as const;
const approve = (traceId: string) =>
	['proposal', 'approve', '--trace', traceId, '--task', '_review'] as const;

const empty = {worktrees: [], sessions: []};

it('state.json lists the existing worktrees while a reactor is alive', async () => {
	const colony = await createColony();
	const baseSha = await colony.git(['rev-parse', 'HEAD']);
	const entryOf = (traceId: string) => ({
		traceId,
		path: join(colony.root, '.hive/worktrees', traceId),
		baseSha,
		branch: `hive/${traceId}`,
		createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
		port: expect.any(Number),
	});
	const reactor = colony.follow();
	await expect.poll(() => stateOf(colony)).toEqual(empty);
	// This folder is not the worktree of a trace.
	await mkdir(join(colony.root, '.hive/worktrees/notes'), {recursive: true});
	for (const traceId of ['t', 's']) {
		await colony.ask(create(traceId));
		await reactor.event({taskId: '_review', status: 'waiting_review'}, reactor.events.at(-1)?.sequence);
	}
	await expect.poll(() => stateOf(colony)).toEqual({worktrees: [entryOf('s'), entryOf('t')], sessions: []});
	await colony.ask(approve('t'));
	await expect.poll(() => stateOf(colony)).toEqual({worktrees: [entryOf('s')], sessions: []});
});

it('state.json is corrected by the reactor after a killed one, even if it is damaged or missing', async () => {
	const colony = await createColony();
	await colony.ask(create('t'));
	const reactor = colony.follow();
	await reactor.event({taskId: '_review', status: 'waiting_review'});
	await expect.poll(() => stateOf(colony)).toMatchObject({worktrees: [{traceId: 't'}]});
	const {worktrees} = (await stateOf(colony)) as {worktrees: object[]};
	await reactor.kill('SIGKILL');

	await writeFile(stateFile(colony), '{"worktrees": 7');
	expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
	expect(await stateOf(colony)).toEqual({worktrees, sessions: []});
	await rm(stateFile(colony));
	await colony.ask(approve('t'));
	expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
	expect(await stateOf(colony)).toEqual(empty);
});

it('state.json lists sessions, but is not used as their source', async () => {
	const {chat, list, ...colony} = await createSessionScene();
	const {terminal, session} = await chat();
	await leave(terminal);
	const {sessionId, traceId, bee, startedAt} = session;
	const named = {sessionId, traceId, agentId: sessionId, bee, startedAt};
	await expect.poll(() => stateOf(colony)).toMatchObject({worktrees: [], sessions: [named]});
	await colony.ask(['session', 'stop', sessionId]);
	expect(await stateOf(colony)).toMatchObject({sessions: [named]});
	expect(await list()).toEqual([]);
	expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
	expect(await stateOf(colony)).toEqual(empty);
});

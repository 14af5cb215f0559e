import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {listAll} from '../../source/drivers/processes/ps-parents.ts';
import {runAbove} from '../../source/drivers/processes/run-above.ts';

let root: string;

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'hive-above-'));
});
afterEach(() => rmSync(root, {recursive: true}));

const supervisor = {pid: 41, startTime: '900', bootId: 'boot'};

const record = (folder: string, started: object, exit?: object): void => {
	const path = join(root, '.hive/runs', folder);
	mkdirSync(path, {recursive: true});
	writeFileSync(join(path, 'started'), JSON.stringify(started));
	if (exit !== undefined) writeFileSync(join(path, 'exit'), JSON.stringify(exit));
};

const parents = (program = 'hive-supervisor', startTime = supervisor.startTime) => ({
	bootId: async () => supervisor.bootId,
	above: async () => [
		{pid: 50, parent: 41, group: 50, startTime: '950', program: 'sh'},
		{pid: 41, parent: 2, group: 41, startTime, program},
	],
});

test('a process is inside the run of the supervisor above it, whatever its environment says', async () => {
	record('t/other', {...supervisor, pid: 42});
	record('t/mine', supervisor);
	const mine = {traceId: 't', agentId: 'mine'};
	for (const said of [
		undefined,
		mine,
		{traceId: 't', agentId: 'other'},
		{traceId: '', agentId: 'x'},
		{traceId: '../..', agentId: 'x'},
	])
		expect(await runAbove([root], said, parents())).toEqual(mine);
	expect(await runAbove([root], undefined, parents('perl'))).toEqual(mine);
});

test('a run of another checkout of the colony is found too', async () => {
	record('t/mine', supervisor);
	expect(await runAbove(['/nowhere', root], undefined, parents())).toEqual({traceId: 't', agentId: 'mine'});
});

test('programs beside a run and leftovers of a run are inside it', async () => {
	record('t/mine/post-exec', supervisor);
	expect(await runAbove([root], undefined, parents())).toEqual({traceId: 't', agentId: 'mine'});
	record('t/mine', supervisor, {exitCode: 0, finishedAt: 'now'});
	expect(await runAbove([root], undefined, parents())).toEqual({traceId: 't', agentId: 'mine'});
});

test.each([
	['another process has its pid by now', {...supervisor, startTime: '1'}, undefined],
	['it is of another start of the machine', {...supervisor, bootId: 'older'}, undefined],
	['it has gone on to another run', supervisor, {exitCode: 0, finishedAt: 'now', leftNothing: true}],
])('no process is inside a run when %s', async (_, started, exit) => {
	record('t/mine', started, exit);
	expect(await runAbove([root], {traceId: 't', agentId: 'mine'}, parents())).toBeUndefined();
});

test('a process without a supervisor above it is in no run, and no run directory is read', async () => {
	record('t/mine', supervisor);
	expect(await runAbove([root], undefined, parents('bash'))).toBeUndefined();
	expect(await runAbove([root], undefined)).toBeUndefined();
});

test('parents are read from ps where there is no /proc', async () => {
	const all = await listAll();
	expect(all.get(process.pid)).toMatchObject({pid: process.pid, parent: process.ppid});
});

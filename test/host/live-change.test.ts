import {rm} from 'node:fs/promises';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {Outcome} from '../../source/domain/errors.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {
	followLiveChange,
	type LiveChange,
	openWorktree,
	readLiveChange,
} from '../../source/host/review/live-change.ts';
import {buildRun, buildTrace} from '../dashboard/build-trace.ts';
import {timeoutMs} from '../helpers/with-timeout.ts';
import {createScene, git, traceId} from '../workspaces/scene.ts';

const trace = {...buildTrace(traceId, {runs: [buildRun('r', {workspace: 'isolated'})]}), sequence: 1};

const open = async () => {
	const scene = await createScene({'a.txt': 'one\n'});
	const redact = (text: string): string => text.replaceAll('secret', '[redacted]');
	// The tested code uses only these fields.
	const context = {
		...{git, colony: {root: scene.location.root}, checkout: 'here', redact, clock: createSystemClock()},
	} as unknown as Parameters<typeof readLiveChange>[0];
	return {...scene, context};
};

test('a live change has committed, changed and new files of the worktree, compared with its fork', async () => {
	const {context, repository, worktree} = await open();
	await worktree.write('b.txt', 'committed\n');
	await worktree.commit('b');
	await worktree.write('a.txt', 'one\nsecret\n');
	await worktree.write('c.txt', 'new\n');
	await repository.write('base.txt', 'x\n');
	await repository.commit('the base moves on');
	const read = await readLiveChange(context, trace);
	expect(read).toMatchObject({
		ok: true,
		value: {
			files: [
				{path: 'a.txt', added: 1, removed: 0},
				{path: 'b.txt', added: 1, removed: 0},
				{path: 'c.txt', added: 1, removed: 0},
			],
			truncated: false,
		},
	});
	expect(JSON.stringify(read)).toContain('+[redacted]');
	expect(JSON.stringify(read)).not.toContain('secret');
});

test('a live change is emitted again only after a file has changed', async () => {
	const {context, worktree} = await open();
	const changes: Outcome<LiveChange>[] = [];
	const stop = new AbortController();
	onTestFinished(() => stop.abort());
	await worktree.write('a.txt', 'two\n');
	void followLiveChange({context, trace: () => trace, signal: stop.signal, call: one => changes.push(one)});
	await vi.waitFor(() => expect(changes).toHaveLength(1), {timeout: timeoutMs});
	await worktree.write('a.txt', 'three\n');
	await vi.waitFor(() => expect(changes).toHaveLength(2), {timeout: timeoutMs});
	expect(changes.map(change => change.ok && change.value.patch.includes('+three'))).toEqual([false, true]);
	await rm(worktree.root, {recursive: true});
	await vi.waitFor(() => expect(changes).toHaveLength(3), {timeout: timeoutMs});
	expect(changes[2]).toMatchObject({ok: false});
});

test('a worktree is refused with a reason if it is gone, was never made, or is on another machine', async () => {
	const {context, worktree} = await open();
	expect(await openWorktree(context, trace)).toEqual({ok: true, value: worktree.root});
	expect(await openWorktree(context, {...trace, place: 'there'})).toMatchObject({
		refusal: {message: expect.stringContaining('belongs to the checkout there')},
	});
	expect(await openWorktree(context, {...trace, traceId: 'trace-2'})).toMatchObject({
		refusal: {message: 'The trace trace-2 has no worktree here.'},
	});
	await rm(worktree.root, {recursive: true});
	expect(await openWorktree(context, trace)).toMatchObject({
		refusal: {message: 'The trace trace-1 has lost its worktree: the folder is gone.'},
	});
});

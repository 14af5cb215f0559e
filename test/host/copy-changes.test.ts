import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {copyChanges} from '../../source/host/log-admin/copy-changes.ts';
import {readCheckpoint} from '../../source/ledger/checkpoint-store.ts';
import {newestSequence} from '../../source/runs/newest-event.ts';
import {item, planOf, statusOf} from '../helpers/events.ts';

const files = createFiles();

const createRig = async ({isAttended = false} = {}) => {
	const root = await mkdtemp(join(tmpdir(), 'hive-copies-'));
	onTestFinished(() => rm(root, {recursive: true, force: true}));
	const clock = createSystemClock();
	const memory = createMemoryBus({clock});
	const written: string[] = [];
	const write: typeof files.write = async (path, ...text) => {
		written.push(path.slice(root.length + '/.hive/runs/'.length));
		await files.write(path, ...text);
	};
	const own = {root, checkout: 'here'};
	const ports = {...own, clock, files: {...files, write}, isAttended: async () => isAttended};
	const {bus, settled} = copyChanges({...ports, bus: memory});
	let said = 0;
	const sayOn = async (log: typeof bus, events: readonly NewEvent[]) => {
		for (const event of events) await log.append(event, {id: `event-${said++}`});
	};
	return {
		say: (...events: readonly NewEvent[]) => sayOn(bus, events).then(settled),
		/** Appends events like a process that is killed before it writes files. */
		sayAndDie: (...events: readonly NewEvent[]) => sayOn(memory, events),
		/** Returns the files written since the last call. */
		written: () => written.splice(0),
		newest: () => newestSequence(files, own),
		checkpoint: async (traceId: string) => (await readCheckpoint(memory, traceId))?.sequence,
		task: (traceId: string, taskId: string) =>
			readFile(join(root, '.hive/runs', traceId, 'tasks', taskId, 'task.md'), 'utf8'),
	};
};

const on = (traceId: string, event: NewEvent): NewEvent => ({...event, traceId});
const plan = (traceId: string, ...taskIds: readonly string[]) =>
	on(traceId, planOf(...taskIds.map(taskId => item(taskId))));

it('a command writes the files of changed tasks, the checkpoint, and the sequence that they include', async () => {
	const rig = await createRig();
	const filesOf = (...names: readonly string[]) => names.map(name => `a/tasks/${name}/task.md`);
	await rig.say(plan('a', 'one', 'two', 'three'));
	expect(rig.written()).toEqual([...filesOf('one', 'two', 'three'), '.newest']);
	// The next task of the queue is now ready.
	await rig.say(on('a', statusOf('one', 'failed', 'no luck')));
	expect(rig.written()).toEqual([...filesOf('one', 'two'), '.newest']);
	expect([await rig.newest(), await rig.checkpoint('a')]).toEqual([2, 2]);
});

it('a command also writes files for events of a process that was killed before it wrote them', async () => {
	const rig = await createRig();
	await rig.say(plan('a', 'one'), plan('b', 'two'));
	await rig.sayAndDie(on('a', statusOf('one', 'failed', 'no luck')));
	expect(await rig.task('a', 'one')).not.toContain('no luck');
	await rig.say(on('b', statusOf('two', 'failed', 'no luck')));
	expect(await rig.task('a', 'one')).toContain('no luck');
	expect([await rig.newest(), await rig.checkpoint('a'), await rig.checkpoint('b')]).toEqual([4, 3, 4]);
});

it('a command with too many missing events writes only its own traces, and marks no others as written', async () => {
	const rig = await createRig();
	await rig.say(plan('a', 'one'));
	await rig.sayAndDie(
		plan('b', 'two'),
		...Array.from({length: 120}, () => on('b', statusOf('two', 'failed'))),
	);
	rig.written();
	await rig.say(on('a', statusOf('one', 'failed', 'no luck')));
	expect(rig.written()).toEqual(['a/tasks/one/task.md']);
	expect([await rig.newest(), await rig.checkpoint('b')]).toEqual([1, undefined]);
});

it('a command writes no files while a reactor is alive', async () => {
	const rig = await createRig({isAttended: true});
	await rig.say(plan('a', 'one'));
	expect([rig.written(), await rig.checkpoint('a')]).toEqual([[], undefined]);
});

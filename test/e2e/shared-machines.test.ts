import {rm, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import type {ColonyOnDisk} from '../helpers/colony-on-disk.ts';
import {createMachines, createTasks, startReactor} from '../helpers/machines.ts';
import {startServerOfTest} from '../helpers/server-of-test.ts';
import {shareBase} from '../helpers/shared-base.ts';

/** `npm run prove-shared-base` plays 30. */
const landings = Number(process.env.HIVE_SHARED_LANDINGS ?? 4);

vi.setConfig({testTimeout: 120_000 + landings * 20_000});

/** A pseudo-random number generator, so that a failure can be played again. */
const createChoice = (seed: number) => {
	let state = seed;
	return <Item>(items: readonly Item[]): Item => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return items[Math.floor((state / 2_147_483_648) * items.length)] as Item;
	};
};

/** Each machine reaches the remote by a path of its own, which can be taken away. */
const linkTo = async (colony: ColonyOnDisk, remote: string): Promise<string> => {
	const path = join(colony.home, 'remote.git');
	await symlink(remote, path);
	await colony.git(['remote', 'set-url', 'origin', path]);
	await colony.git(['fetch', '--quiet', 'origin']);
	await colony.git(['branch', '--set-upstream-to=origin/main', 'main']);
	await colony.ask(['init', '--accept']);
	return path;
};

test(`${landings} landings from three machines end in one base, though one is killed, one is behind and one is cut off`, async () => {
	const server = await startServerOfTest();
	const links = [server, server, server];
	const settings = {land: {push: 'required'}, defaults: {max_parallel_runs: 2, energy_budget: 20}};
	const machines = await createMachines(server, links, {settings});
	const [ada, bob, eve] = machines as readonly [ColonyOnDisk, ColonyOnDisk, ColonyOnDisk];
	const remote = await shareBase(ada);
	const paths = [];
	for (const machine of machines) paths.push(await linkTo(machine, remote.path));
	const reactors = [await startReactor(ada, bob), await startReactor(bob, ada), await startReactor(eve, ada)];

	const choose = createChoice(landings);
	const traces: {traceId: string; taskId: string}[] = [];
	for (let index = 0; index < landings; index++) {
		const taskId = `task${index}`;
		traces.push({taskId, traceId: await createTasks(choose(machines), taskId)});
	}
	for (const {traceId} of traces)
		await ada.ask(['wait', '--trace', traceId, '--for', 'review', '--timeout', '5m']);

	const approve = (by: ColonyOnDisk, traceId: string) =>
		by.hive(['proposal', 'approve', '--trace', traceId, '--task', '_review', '--wait']);
	/** Approves until it has landed. A machine that is cut off or gone refuses meanwhile, with the reason. */
	const land = async (traceId: string): Promise<void> => {
		await expect
			.poll(
				async () => {
					const {stdout} = await approve(choose(machines), traceId);
					if (stdout.includes('Merged into main')) return true;
					const {exitCode} = await ada.hive([
						'wait',
						'--trace',
						traceId,
						'--for',
						'completed',
						'--timeout',
						'1s',
					]);
					return exitCode === 0;
				},
				{timeout: 300_000, interval: 200},
			)
			.toBe(true);
	};
	const half = Math.ceil(landings / 2);
	// Approvals of different machines race for the upstream.
	const first = Promise.all(traces.slice(0, half).map(({traceId}) => land(traceId)));
	await reactors[1]?.kill('SIGKILL');
	await rm(paths[2] ?? '');
	const bobAgain = startReactor(bob, ada);
	await bobAgain;
	await symlink(remote.path, paths[2] ?? '');
	await first;
	for (const {traceId} of traces.slice(half)) await land(traceId);

	const tips = [];
	for (const machine of machines) {
		await machine.git(['pull', '--quiet', '--ff-only']);
		tips.push(await machine.git(['rev-parse', 'main']));
		expect(await machine.git(['status', '--porcelain', '--untracked-files=no'])).toBe('');
	}
	expect(new Set([...tips, await remote.tip()]).size).toBe(1);
	const merged = (
		await ada.git(['log', '--merges', '--first-parent', '--format=%(trailers:key=Hive-Trace,valueonly)'])
	)
		.split('\n')
		.filter(Boolean);
	expect(merged.toSorted()).toEqual(traces.map(({traceId}) => traceId).toSorted());
	for (const {taskId} of traces) expect(await ada.read(`${taskId}.txt`)).toBe(`made by ${taskId}\n`);
});

import {expect, it} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import {openDashboard} from '../../source/cli/open-dashboard.ts';
import type {LoadDashboard, Session} from '../../source/cli/session.ts';
import type {World} from '../../source/dashboard/world.ts';
import {accepted} from '../../source/domain/errors.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import type {OutsidePrograms} from '../../source/ports/outside-programs.ts';
import {filesInMemory} from '../colony/files-in-memory.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {sessionWith} from './session-with.ts';

/** Opens the dashboard, which the person leaves at the end of what they do; reactors that are left then. */
const openFor = async (person: (world: World, live: () => number) => Promise<void>): Promise<number> => {
	let live = 0;
	const clock = createSystemClock();
	// Opening asks for these alone.
	const context = {
		...{clock, bus: createMemoryBus({clock}), files: filesInMemory().files, colony: await colonyFrom({})},
	} as unknown as ActionContext;
	const startDashboard = async (world: World) => {
		await person(world, () => live);
		return accepted({exitCode: 0, bees: 'leave' as const});
	};
	const session: Partial<Session> = {
		open: async () => context,
		programs: async () => ({}) as OutsidePrograms,
		loadDashboard: (async () => ({startDashboard})) as unknown as LoadDashboard,
		spawnSelf: async () => {
			live += 1;
			return {
				pid: live,
				end: async () => {
					live -= 1;
				},
			};
		},
	};
	await openDashboard(sessionWith(session));
	return live;
};

it('a dashboard that is stopped before its reactor was started has given it up, and has one again after', async () => {
	const counts: number[] = [];
	const left = await openFor(async (world, live) => {
		await world.suspend();
		counts.push(live());
		await world.resume();
		counts.push(live());
	});
	expect([...counts, left]).toEqual([0, 1, 0]);
});

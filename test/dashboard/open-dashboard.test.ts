import {describe, expect, it, vi} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import type {DashboardEnd} from '../../source/dashboard/handle/context.ts';
import {openDashboard} from '../../source/dashboard/open-dashboard.ts';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import {accepted} from '../../source/domain/errors.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import type {Host} from '../../source/host/host.ts';
import type {ChildEnd} from '../../source/ports/child.ts';
import type {OutsidePrograms} from '../../source/ports/outside-programs.ts';
import {filesInMemory} from '../colony/files-in-memory.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {claimOf, item, planOf, readyOf} from '../helpers/events.ts';
import {hostWith} from '../host/host-with.ts';

type Person = (world: DashboardServices, live: () => number) => Promise<void>;

const lookAround: Person = async () => {};

/**
 * Opens the dashboard until the person leaves it. Returns how it ended, and how many reactors are left.
 */
const openFor = async (
	person: Person,
	bees: DashboardEnd['bees'] = 'leave',
	more: Partial<ActionContext> = {},
	{serves = false} = {},
) => {
	let live = 0;
	const clock = createSystemClock();
	const bus = createMemoryBus({clock});
	for (const event of [
		planOf(item('a'), item('b')),
		claimOf('run1', 'a'),
		readyOf('b'),
		claimOf('run2', 'b'),
	])
		await bus.append(event, {id: JSON.stringify(event.payload)});
	// Opening needs only these fields.
	const context = {
		...{clock, bus, checkout: 'here', files: filesInMemory().files, colony: await colonyFrom({}), ...more},
	} as unknown as ActionContext;
	const startDashboard = async (world: DashboardServices) => {
		await person(world, () => live);
		return accepted({exitCode: 0, bees});
	};
	const host: Partial<Host> = {
		open: async () => context,
		programs: async () => ({}) as OutsidePrograms,
		spawnSelf: async (args, hear) => {
			live += 1;
			if (args[0] === 'console') {
				hear?.('nonsense');
				hear?.(JSON.stringify({v: 1, url: 'http://127.0.0.1:8787', link: 'http://127.0.0.1:8787/#code=c'}));
			}
			let leave = (_end: ChildEnd): void => {};
			const ended = new Promise<ChildEnd>(resolve => {
				leave = resolve;
			});
			return {
				pid: live,
				ended,
				end: async () => {
					live -= 1;
					leave({exitCode: 0, stderr: ''});
				},
			};
		},
	};
	const {signal} = new AbortController();
	const commands = async () => [];
	const look = {
		color: 'auto',
		isPainted: false,
		screenReader: false,
		console: serves,
		signal,
		commands,
	} as const;
	const end = await openDashboard(hostWith(host), look, startDashboard);
	return {left: live, exitCode: end.ok && end.value};
};

it('a dashboard that is suspended while its reactor starts stops the reactor, and starts it again on resume', async () => {
	const counts: number[] = [];
	const {left} = await openFor(async (world, live) => {
		await world.beforeSuspend();
		counts.push(live());
		await world.afterResume();
		counts.push(live());
	});
	expect([...counts, left]).toEqual([0, 1, 0]);
});

it('a console beside the dashboard shows its link, and ends with the dashboard', async () => {
	const shown: unknown[] = [];
	const look: Person = async (world, live) => {
		await new Promise<void>(resolve => world.consoleOpened(new AbortController().signal, resolve));
		shown.push(world.consoleAt());
		await expect.poll(live).toBe(2);
	};
	const {left} = await openFor(look, 'leave', {}, {serves: true});
	expect(shown).toEqual([{url: 'http://127.0.0.1:8787', link: 'http://127.0.0.1:8787/#code=c'}]);
	expect(left).toBe(0);
});

describe('runs that a person stops with the dashboard', () => {
	const stopping = (stop: (agentId: string) => Promise<void>): Partial<ActionContext> => ({
		failpoint: () => {},
		// Another process has waited for the reactor and gets it at once.
		reactorIsAlive: async () => true,
		endRun: ({agentId}) => stop(agentId),
	});

	it('stop even if another process has become the reactor', async () => {
		const stopped: string[] = [];
		const end = await openFor(
			lookAround,
			'stop',
			stopping(async agentId => void stopped.push(agentId)),
		);
		expect(stopped).toEqual(['run1', 'run2']);
		expect(end).toEqual({left: 0, exitCode: 0});
	});

	it('are named after the terminal is given back if they cannot stop, and the others stop', async () => {
		const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
		const stopped: string[] = [];
		const end = await openFor(
			lookAround,
			'stop',
			stopping(async agentId => {
				if (agentId === 'run1') throw new Error('EPERM');
				stopped.push(agentId);
			}),
		);
		const said = write.mock.calls.map(([text]) => text);
		write.mockRestore();
		expect(said).toEqual(['hive: The run run1 was not stopped: EPERM\n']);
		expect(stopped).toEqual(['run2']);
		expect(end).toEqual({left: 0, exitCode: 1});
	});
});

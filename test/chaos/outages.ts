import {setTimeout as pass} from 'node:timers/promises';
import {exitCodes} from '../../source/domain/error-table.ts';
import type {NatsServer} from '../helpers/nats-server.ts';
import type {Random} from '../simulator/random.ts';
import type {Ended, ScratchColony} from './scratch-colony.ts';

/** What befell a server: one for each. */
export type Outage = {readonly 'server kills': number; readonly 'server pauses': number};

export const noOutage: Outage = {'server kills': 0, 'server pauses': 0};

/**
 * Once in a while a colony's server is killed or stands still; resolves when it is there again with what it
 * had stored.
 */
export const interrupt = async (server: NatsServer | undefined, random: Random): Promise<Outage> => {
	if (server === undefined || !random.chance(0.3)) return noOutage;
	await pass(random.below(900));
	if (random.chance(0.4)) {
		server.signal('SIGSTOP');
		await pass(random.between(50, 3000));
		server.signal('SIGCONT');
		return {...noOutage, 'server pauses': 1};
	}
	await server.stop(random.chance(0.8) ? 'SIGKILL' : 'SIGTERM');
	await pass(random.below(1500));
	await server.start();
	return {...noOutage, 'server kills': 1};
};

/** Milliseconds between two attempts. */
const attemptPause = 100;

/** Says it again while the bus cannot be reached, as people do: what is asked may have been done by then. */
export const persist = async (
	{hive}: ScratchColony,
	args: readonly string[],
	input?: string,
): Promise<Ended> => {
	for (;;) {
		const ended = await hive([...args, '--json'], input);
		if (ended.exitCode !== exitCodes.unreachable) return ended;
		await pass(attemptPause);
	}
};

import {setTimeout as pass} from 'node:timers/promises';
import {exitCodes} from '../../source/domain/error-table.ts';
import type {NatsServer} from '../helpers/nats-server.ts';
import type {Random} from '../simulator/random.ts';
import type {Ended, ScratchColony} from './scratch-colony.ts';

/** The number of outages of a server. */
export type Outage = {readonly 'server kills': number; readonly 'server pauses': number};

export const noOutage: Outage = {'server kills': 0, 'server pauses': 0};

/** Sometimes kills or suspends the server of a colony. Resolves once it runs again with its stored data. */
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

/** Repeats a command while the bus is unreachable, as people do. An earlier attempt may have taken effect. */
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

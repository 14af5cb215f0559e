import {join} from 'node:path';
import {expectEmbedded} from '../colony/bus-address.ts';
import {createReactorChannel} from '../drivers/reactor-channel/channel.ts';
import {openSqliteBus} from '../drivers/sqlite-bus/sqlite-bus.ts';
import type {EventStore} from '../ports/event-store.ts';
import type {ReactorChannel} from '../ports/reactor-channel.ts';
import {clock} from './drivers.ts';

/** The store of a checkout, and how its processes reach the reactor. Close the channel after the bus. */
export type ChosenStore = EventStore & {readonly channel: ReactorChannel};

/**
 * Chooses what a colony's events are kept by. Without an address it is a file of this machine.
 *
 * @param address as `busAddress` has it; one that this hive has no engine for throws `bus_unreachable`
 * @param folder the machine-local folder of the checkout
 */
export const chooseStore = (address: string | undefined, folder: string): ChosenStore => {
	expectEmbedded(address);
	const location = join(folder, 'events.sqlite');
	const channel = createReactorChannel({socket: join(folder, 'reactor.sock'), clock});
	return {
		location,
		channel,
		probe: async () => (await import('../drivers/sqlite-bus/probe.ts')).probeStore(location),
		open: () => openSqliteBus({file: location, channel, clock}),
	};
};

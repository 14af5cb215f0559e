import {join} from 'node:path';
import type {BusSettings} from '../colony/bus-settings.ts';
import type {Colony} from '../colony/colony.ts';
import {HiveError} from '../domain/errors.ts';
import {createReactorChannel} from '../drivers/reactor-channel/channel.ts';
import {openSqliteBus} from '../drivers/sqlite-bus/sqlite-bus.ts';
import type {EventStore} from '../ports/event-store.ts';
import type {ReactorChannel} from '../ports/reactor-channel.ts';
import {clock} from './drivers.ts';

/** The store of a checkout, with the channel to the reactor. Close the channel after the bus. */
export type ChosenStore = EventStore & {readonly channel: ReactorChannel};

/** The names of a colony on a server. */
type Named = Pick<Colony, 'id' | 'subjectPrefix'>;

/**
 * Chooses the store of a colony's events. Without a bus it is a file of this machine.
 *
 * @param colony opening a bus throws `invalid_config` for a colony without an id
 * @param folder the machine-local folder of the checkout
 */
export const chooseStore = (bus: BusSettings | undefined, colony: Named, folder: string): ChosenStore => {
	const channel = channelIn(folder);
	return {...(bus === undefined ? embeddedStore(folder, channel) : serverStore(bus, colony)), channel};
};

/** Returns the channel to the reactor of a machine-local folder. */
export const channelIn = (folder: string): ReactorChannel =>
	createReactorChannel({socket: join(folder, 'reactor.sock'), clock});

/** Returns the store in a machine-local folder, which is used if no bus is named. */
export const embeddedStore = (folder: string, channel?: ReactorChannel): EventStore => {
	const location = join(folder, 'events.sqlite');
	return {
		location,
		probe: async () => (await import('../drivers/sqlite-bus/probe.ts')).probeStore(location),
		open: () => openSqliteBus({file: location, clock, ...(channel && {channel})}),
		openRaw: async () => (await import('../drivers/sqlite-bus/raw-log.ts')).openRawFile(location, clock),
	};
};

/** Returns the store of a colony on a server. */
export const serverStore = (access: BusSettings, {id, subjectPrefix}: Named): EventStore => ({
	location: access.shown,
	probe: async () => {
		if (id === undefined) return {state: 'away', ...noId};
		const {probeServer} = await import('../drivers/nats-bus/probe.ts');
		return probeServer({access, id, subjectPrefix, clock});
	},
	open: async ({mustExist} = {}) => {
		const {openNatsBus} = await import('../drivers/nats-bus/nats-bus.ts');
		return openNatsBus({access, id: expectId(id), subjectPrefix, clock, mustExist});
	},
	openRaw: async () => {
		const {openRawServer} = await import('../drivers/nats-bus/raw-log.ts');
		return openRawServer({access, id: expectId(id), subjectPrefix, clock});
	},
});

const expectId = (id: string | undefined): string => {
	if (id !== undefined) return id;
	throw new HiveError('invalid_config', noId);
};

const noId = {
	message: 'This colony has no id, which a message bus needs.',
	hint: 'Run "hive init": it writes one into .hive/colony.yaml. Commit it, so that every clone has the same id.',
};

import type {ActionContext} from '../actions/context.ts';
import type {SettingsByAdapter} from '../agents/environment.ts';
import type {Secrets} from '../agents/secrets.ts';
import type {ConfigurationStore} from '../colony/configuration/store.ts';
import type {MachineFile} from '../colony/parse/machine.ts';
import type {ReactorStatus} from '../host/host.ts';
import type {Bus} from '../ports/bus.ts';
import type {ReactorChannel} from '../ports/reactor-channel.ts';

/** A colony with its drivers, as one process has it open. */
export type OpenColony = {
	readonly context: ActionContext & Required<Pick<ActionContext, 'redact'>>;
	/**
	 * The unredacted bus, for the reactor's own events and for events that are already redacted. Actions use
	 * the bus of the context.
	 */
	readonly bus: Bus;
	readonly channel: ReactorChannel;
	/** Machine-local folder of this checkout. */
	readonly folder: string;
	/** Present home files of the adapters. */
	readonly settings: () => SettingsByAdapter;
	/**
	 * Throws `bus_unreachable` if another bus is named than the open one. It may be named by the machine's
	 * files, the current ones unless given, or by the `HIVE_BUS_URL` of another process.
	 */
	/**
	 * Uses the login that config.yaml names now. Returns true if it is another one. Throws `bus_unreachable` if
	 * the server refuses it.
	 */
	readonly changeLogin: () => Promise<boolean>;
	readonly expectSameBus: (named?: {
		readonly machine?: MachineFile | undefined;
		readonly url?: string | undefined;
	}) => void;
	/**
	 * Throws `invalid_config` while those files are broken: programs started from them could be the wrong ones,
	 * or lack their keys.
	 */
	readonly expectUsable: () => void;
	readonly secrets: Secrets;
	readonly configuration: ConfigurationStore;
	readonly reactor: () => Promise<ReactorStatus | undefined>;
	readonly close: () => Promise<void>;
};

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
	 * As it is, for what the reactor makes itself and what others have redacted; actions work with that of the
	 * context.
	 */
	readonly bus: Bus;
	readonly channel: ReactorChannel;
	/** Machine-local folder of this checkout. */
	readonly folder: string;
	/** Home files of the adapters, as they are now. */
	readonly settings: () => SettingsByAdapter;
	/**
	 * Throws `bus_unreachable` when another bus is named than the one that is open: by the files of this
	 * machine, those that count unless given, or the `HIVE_BUS_URL` of somebody else.
	 */
	readonly expectSameBus: (named?: {
		readonly machine?: MachineFile | undefined;
		readonly url?: string | undefined;
	}) => void;
	/**
	 * Throws `invalid_config` while those files are broken: what they started could be another program, or lack
	 * its key.
	 */
	readonly expectUsable: () => void;
	readonly secrets: Secrets;
	readonly configuration: ConfigurationStore;
	readonly reactor: () => Promise<ReactorStatus | undefined>;
	readonly close: () => Promise<void>;
};

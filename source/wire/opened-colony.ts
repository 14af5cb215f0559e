import type {ActionContext} from '../actions/context.ts';
import type {SettingsByAdapter} from '../agents/environment.ts';
import type {Secrets} from '../agents/secrets.ts';
import type {ConfigurationStore} from '../colony/configuration/store.ts';
import type {ReactorStatus} from '../host/host.ts';
import type {Bus} from '../ports/bus.ts';
import type {ReactorChannel} from '../ports/reactor-channel.ts';

/** A colony with its drivers, as one process has it open. */
export type OpenColony = {
	readonly context: ActionContext & Required<Pick<ActionContext, 'redact'>>;
	/** As it is, for what the reactor makes itself and what others have redacted; actions work with that of the context. */
	readonly bus: Bus;
	readonly channel: ReactorChannel;
	/** Machine-local folder of this checkout. */
	readonly folder: string;
	/** Home files of the adapters, as they are now. */
	readonly settings: () => SettingsByAdapter;
	/** Throws `bus_unreachable` while a bus is named, whose log is another than this one. */
	readonly expectEmbedded: () => void;
	/** Throws `invalid_config` while those files are broken: what they started could be another program, or lack its key. */
	readonly expectUsable: () => void;
	readonly secrets: Secrets;
	readonly configuration: ConfigurationStore;
	readonly reactor: () => Promise<ReactorStatus | undefined>;
	readonly close: () => Promise<void>;
};

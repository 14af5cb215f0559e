import type {Highlighter} from '../highlight/highlighter.ts';
import type {Host} from '../host/host.ts';
import type {LiveColony} from '../host/live/live.ts';
import type {Caller} from './caller.ts';
import type {Devices} from './devices.ts';
import type {Model} from './model.ts';

/** The data that routes answer from. */
export type ConsoleServices = {
	readonly host: Pick<Host, 'open' | 'secrets' | 'faults' | 'env'>;
	readonly context: Awaited<ReturnType<Host['open']>>;
	readonly colony: Pick<
		LiveColony,
		| 'header'
		| 'cues'
		| 'facts'
		| 'preview'
		| 'lineOrigin'
		| 'reviews'
		| 'detail'
		| 'progress'
		| 'reworkChoice'
		| 'join'
		| 'now'
	>;
	readonly model: Model;
	readonly devices: Pick<Devices, 'list'>;
	/** Highlights code in a separate thread, so that answers are not delayed. */
	readonly highlight: Highlighter;
};

/** One request of a read route. */
export type Question = {
	readonly named: Readonly<Record<string, string>>;
	readonly query: Readonly<Record<string, unknown>>;
	readonly caller: Caller;
};

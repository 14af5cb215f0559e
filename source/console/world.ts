import type {Highlighter} from '../highlight/highlighter.ts';
import type {Host} from '../host/host.ts';
import type {LiveColony} from '../host/live/live.ts';
import type {Caller} from './caller.ts';
import type {Devices} from './devices.ts';
import type {Model} from './model.ts';

/** What routes answer from. */
export type World = {
	readonly host: Pick<Host, 'open' | 'secrets' | 'faults'>;
	readonly context: Awaited<ReturnType<Host['open']>>;
	readonly colony: Pick<LiveColony, 'header' | 'cues' | 'facts' | 'preview' | 'detail' | 'join' | 'now'>;
	readonly model: Model;
	readonly devices: Pick<Devices, 'list'>;
	/** Tells the kinds of code apart, beside the thread that answers requests. */
	readonly highlight: Highlighter;
};

/** One request of a route that reads. */
export type Question = {
	readonly named: Readonly<Record<string, string>>;
	readonly query: Readonly<Record<string, unknown>>;
	readonly caller: Caller;
};

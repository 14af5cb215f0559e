import type {ConsoleServices} from './console-services.ts';
import type {OwnNames} from './guard.ts';
import type {KeyFile} from './key-file.ts';
import type {Limits} from './limits.ts';
import type {IsProxy} from './proxy.ts';
import type {Runtime} from './runtime.ts';

/** A complete file of the page. */
export type PageFile = {readonly type: string; readonly text: string};

/** The parts of a console. */
export type ConsoleParts = {
	readonly world: ConsoleServices;
	readonly keyFile: Pick<KeyFile, 'keys' | 'redeem' | 'devices'>;
	readonly names: OwnNames;
	readonly cookieName: string;
	/** By path. Each is the same for every caller, and holds no secret. */
	readonly page: Readonly<Record<string, PageFile>>;
	readonly version: string;
	readonly runtime: Pick<Runtime, 'start' | 'stop'>;
	/** Aborted when the console ends, and when its keys change. */
	readonly streamsEnd: () => AbortSignal;
	readonly limits?: Limits;
	/** True for trusted proxies. Without it no proxy is trusted. */
	readonly isProxy?: IsProxy;
};

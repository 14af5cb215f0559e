import * as z from 'zod/mini';
import type {Host} from '../host/host.ts';
import {createOwnProcess} from '../host/own-process.ts';
import type {World} from './world.ts';

type Beside = {
	readonly start: () => Promise<void>;
	readonly stop: () => Promise<void>;
	readonly at: World['consoleAt'];
	readonly opened: World['consoleOpened'];
};

const opened = z.object({url: z.string(), link: z.string()});

/** The output of `hive console --json` once it listens. Undefined for a refusal. */
const readOpened = (line: string) => {
	try {
		return opened.parse(JSON.parse(line));
	} catch {
		return undefined;
	}
};

/**
 * Runs the console in a process of its own, so that its requests never delay a key. It ends with the
 * dashboard.
 */
export const serveBeside = (
	host: Pick<Host, 'spawnSelf'>,
	{clock, colony, redact = text => text}: Awaited<ReturnType<Host['open']>>,
	report: (reason: string) => void,
): Beside => {
	let at: ReturnType<World['consoleAt']>;
	let tell = (): void => {};
	const hear = (line: string): void => {
		const heard = readOpened(line);
		if (heard === undefined) return;
		at = heard;
		tell();
	};
	const args = ['console', '--no-reactor', '--until-stdin-ends', '--json', '--path', colony.root];
	const {start, stop} = createOwnProcess({
		...{name: 'console', clock},
		spawn: () => host.spawnSelf(args, hear),
		report: reason => report(redact(reason)),
	});
	return {
		...{start, stop},
		at: () => at,
		opened: (signal, call) => {
			tell = call;
			signal.addEventListener('abort', () => {
				tell = () => {};
			});
		},
	};
};

import * as z from 'zod/mini';
import type {Host} from '../host/host.ts';
import {createOwnProcess} from '../host/own-process.ts';
import type {DashboardServices} from './world.ts';

type ConsoleProcess = {
	readonly start: () => Promise<void>;
	readonly stop: () => Promise<void>;
	readonly address: DashboardServices['consoleAt'];
	readonly onOpened: DashboardServices['consoleOpened'];
};

const openedSchema = z.object({url: z.string(), link: z.string()});

/** The output of `hive console --json` once it listens. Undefined for a refusal. */
const parseOpened = (line: string) => {
	try {
		return openedSchema.parse(JSON.parse(line));
	} catch {
		return undefined;
	}
};

/**
 * Runs the console in a process of its own, so that its requests never delay a key. It ends with the
 * dashboard.
 */
export const spawnConsole = (
	host: Pick<Host, 'spawnSelf'>,
	{clock, colony, redact = text => text}: Awaited<ReturnType<Host['open']>>,
	report: (reason: string) => void,
): ConsoleProcess => {
	let address: ReturnType<DashboardServices['consoleAt']>;
	let notifyOpened = (): void => {};
	const receiveLine = (line: string): void => {
		const parsed = parseOpened(line);
		if (parsed === undefined) return;
		address = parsed;
		notifyOpened();
	};
	const args = ['console', '--no-reactor', '--until-stdin-ends', '--json', '--path', colony.root];
	const {start, stop} = createOwnProcess({
		...{name: 'console', clock},
		spawn: () => host.spawnSelf(args, receiveLine),
		report: reason => report(redact(reason)),
	});
	return {
		...{start, stop},
		address: () => address,
		onOpened: (signal, call) => {
			notifyOpened = call;
			signal.addEventListener('abort', () => {
				notifyOpened = () => {};
			});
		},
	};
};

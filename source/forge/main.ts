import type {ActionContext} from '../actions/context.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Host} from '../host/host.ts';
import {pause} from '../host/pause.ts';
import type {ForgePlace} from '../ports/forge.ts';
import {type ForgeKeys, reachForge} from './connect.ts';
import type {ForgeContext} from './context.ts';
import {type WatchOptions, watchRequests} from './watch.ts';

/** What the watcher needs from outside. */
export type ForgeDoor = ForgeKeys & {
	/** Variables with which git gets the token, for the host of the forge alone. */
	readonly loginForGit: (place: ForgePlace, token: string) => Promise<Readonly<Record<string, string>>>;
};

type Options = WatchOptions & {readonly report: (message: string) => void};

/** Poll interval for the lock of another watcher of this checkout, and max time for a single look, in ms. */
const lockPollMs = 200;
const maxLockWaitMs = 10_000;

/**
 * Watches the requests of this checkout at its forge. One watcher of a checkout works at a time; another one
 * waits. Refuses `no_forge`, and `not_for_agents` inside a run.
 */
export const watchForge = async (
	host: Pick<Host, 'open'>,
	door: ForgeDoor,
	options: Options,
): Promise<Outcome<void>> => {
	const opened = await host.open();
	if (opened.insideRun !== undefined) return refuse('not_for_agents');
	const {forge: settings} = opened.colony;
	if (settings === undefined)
		return refuse('no_forge', {
			message: 'The colony names no forge, so no pull request can be watched.',
			hint: 'Write "forge" into .hive/colony.yaml: docs/guide/pull-requests.md shows it. Then run "hive init".',
		});
	const context: ActionContext = {
		...opened,
		by: 'forge',
		// The configuration may change while it watches.
		get colony() {
			return opened.colony;
		},
	};
	const {signal, report} = options;
	const lock = opened.gatewayLock?.('forge') ?? {take: () => true, release: () => {}};
	const since = opened.clock.elapsed();
	while (!lock.take()) {
		await pause(opened.clock, signal, lockPollMs);
		if (signal.aborted) return accepted(undefined);
		if (!options.once || opened.clock.elapsed() - since < maxLockWaitMs) continue;
		report('Another watcher of this checkout works on its pull requests already.');
		return accepted(undefined);
	}
	let connected: ForgeContext | undefined;
	const connect = async (): Promise<Outcome<ForgeContext>> => {
		if (connected !== undefined) return accepted(connected);
		const known = (await opened.acceptedGit?.()) ?? new Set<string>();
		const reached = await reachForge(settings, known, door);
		if (!reached.ok) return reached;
		const {forge, token} = reached.value;
		const env = await door.loginForGit(settings, token);
		const remote = {remote: settings.remote, known, env};
		connected = {context, settings, report, remote, forge};
		return accepted(connected);
	};
	try {
		await watchRequests({context, settings, report, connect}, options);
		return accepted(undefined);
	} finally {
		lock.release();
	}
};

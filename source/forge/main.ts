import type {ActionContext} from '../actions/context.ts';
import {formatForge, tokenVariables} from '../colony/forge.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {ForgeProvider} from '../domain/pull-request.ts';
import type {Host} from '../host/host.ts';
import {pause} from '../host/pause.ts';
import type {Forge, ForgePlace} from '../ports/forge.ts';
import {forgeNote} from '../workspaces/outside/planted.ts';
import type {ForgeContext} from './context.ts';
import {type WatchOptions, watchRequests} from './watch.ts';

/** What the watcher needs from outside. */
export type ForgeDoor = {
	readonly findToken: (place: ForgePlace) => Promise<string | undefined>;
	readonly createForge: (place: ForgePlace, token: string) => Forge;
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
		if (!known.has(`${forgeNote}=${formatForge(settings)}`)) return notAccepted;
		const token = await door.findToken(settings);
		if (token === undefined) return withoutToken(settings.provider);
		const env = await door.loginForGit(settings, token);
		const remote = {remote: settings.remote, known, env};
		connected = {context, settings, report, remote, forge: door.createForge(settings, token)};
		return accepted(connected);
	};
	try {
		await watchRequests({context, settings, report, connect}, options);
		return accepted(undefined);
	} finally {
		lock.release();
	}
};

const notAccepted = refuse('not_published', {
	message: 'You have not accepted yet that hive sends your token to this forge; nothing was sent.',
	hint: 'Run "hive init": it shows the forge, and accepts it. Then approve again.',
});

const loginCommands: Readonly<Record<ForgeProvider, string>> = {
	github: 'gh auth login',
	gitlab: 'a token in config.yaml',
};

const withoutToken = (provider: ForgeProvider) =>
	refuse('not_published', {
		message: 'hive has no token for the forge; nothing was sent.',
		hint: `Set ${tokenVariables[provider][0]}, or use ${loginCommands[provider]}; docs/guide/pull-requests.md shows both. Then approve again.`,
	});

import {join} from 'node:path';
import type {ActionContext} from '../../actions/context.ts';
import {defaultNotify} from '../../domain/notify.ts';
import {openLedger} from '../../ledger/ledger.ts';
import {createUpdatePreferences, readDashboardPreferences} from '../dashboard-preferences.ts';
import type {Host} from '../host.ts';
import {locateColony, machineFolder} from '../locate-colony.ts';
import type {FollowOptions} from './follow-colony.ts';
import type {LiveColony} from './live.ts';
import {createLiveActs} from './live-acts.ts';
import {createLiveConfiguration} from './live-configuration.ts';
import {createLiveFeeds} from './live-feeds.ts';
import {createLiveReads} from './live-reads.ts';

/** Opens the colony around `host.cwd` for a long-lived face. Throws as `Host.open` does. */
export const openLiveColony = async (
	host: Host,
	{ownReactor, logTaken}: Pick<FollowOptions, 'ownReactor' | 'logTaken'>,
): Promise<LiveColony> => {
	const context = await host.open();
	const folder =
		locateColony(host.env, context.colony.root)?.machineFolder ??
		machineFolder(host.env, context.colony.root, context.colony.slug);
	const [ledger, branch, preferences] = await Promise.all([
		openLedger(context.bus),
		branchOf(context),
		readDashboardPreferences(context.files, folder),
	]);
	const following: FollowOptions = {
		...{context, ledger, host, logTaken},
		...(ownReactor && {ownReactor}),
		listeners: new Set(),
	};
	const {slug, root} = context.colony;
	const {cues, facts, reloaded, ...configuration} = createLiveConfiguration(host, context);
	return {
		header: {slug, root, branch, bus: context.bus.address},
		...{cues, facts, reloaded},
		...createLiveFeeds(following, configuration),
		...createLiveReads(following),
		...createLiveActs(context),
		notify: () => context.notify?.() ?? defaultNotify,
		preferences,
		updatePreferences: createUpdatePreferences(context.files, folder),
		now: context.clock.now,
	};
};

/** The branch of the checkout, read from git's file without starting git. */
const branchOf = async ({files, colony}: ActionContext): Promise<string> => {
	const head = (await files.read(join(colony.root, '.git', 'HEAD'))) ?? '';
	return /^ref: refs\/heads\/(.*)$/m.exec(head)?.[1] ?? 'detached';
};

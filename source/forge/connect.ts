import {type ForgeSettings, formatForge, tokenVariables} from '../colony/forge.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {ForgeProvider} from '../domain/pull-request.ts';
import type {Forge, ForgePlace} from '../ports/forge.ts';
import {forgeNote} from '../workspaces/outside/planted.ts';

/** What reaching a forge needs from outside. */
export type ForgeKeys = {
	readonly findToken: (place: ForgePlace) => Promise<string | undefined>;
	readonly createForge: (place: ForgePlace, token: string) => Forge;
};

/** A forge that has been reached, with the token for it. */
export type ReachedForge = {readonly forge: Forge; readonly token: string};

/**
 * Reaches the forge of a colony. Refused if no person has accepted it, or without a token for it.
 *
 * @param known what a person has accepted with `hive init`
 */
export const reachForge = async (
	settings: ForgeSettings,
	known: ReadonlySet<string>,
	keys: ForgeKeys,
): Promise<Outcome<ReachedForge>> => {
	if (!known.has(`${forgeNote}=${formatForge(settings)}`)) return notAccepted;
	const token = await keys.findToken(settings);
	if (token === undefined) return withoutToken(settings.provider);
	return accepted({forge: keys.createForge(settings, token), token});
};

const notAccepted = refuse('not_published', {
	message: 'You have not accepted yet that hive sends your token to this forge; nothing was sent.',
	hint: 'Run "hive init": it shows the forge, and accepts it. Then do it again.',
});

const loginCommands: Readonly<Record<ForgeProvider, string>> = {
	github: 'gh auth login',
	gitlab: 'a token in config.yaml',
};

const withoutToken = (provider: ForgeProvider) =>
	refuse('not_published', {
		message: 'hive has no token for the forge; nothing was sent.',
		hint: `Set ${tokenVariables[provider][0]}, or use ${loginCommands[provider]}; docs/guide/pull-requests.md shows both. Then do it again.`,
	});

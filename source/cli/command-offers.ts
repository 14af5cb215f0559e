import type {CommandOffer} from '../host/command-offer.ts';
import type {Command, CommandGroup} from './command.ts';
import {loadGroups} from './describe.ts';
import {type Flag, formatDefault, valueHint} from './flags.ts';
import {argumentHint} from './read-values.ts';

/** Every command as the dashboard offers it. */
export const commandOffers = async (groups: readonly CommandGroup[]): Promise<readonly CommandOffer[]> =>
	(await loadGroups(groups)).flatMap(({commands}) => commands).map(offerOf);

const offerOf = ({path, summary, arguments: positional, flags}: Command): CommandOffer => ({
	...{path, summary},
	takes: [
		...Object.entries(positional).map(([name, flag]) => taken('', argumentHint(name, flag), flag)),
		...Object.entries(flags)
			.filter(([, {required}]) => required)
			.map(([name, flag]) => taken(formatDefault(name), valueHint(flag), flag)),
	],
});

const taken = (flag: string, hint: string, {required = false, complete}: Flag) => ({
	...{flag, hint, required},
	...(complete && {complete}),
});

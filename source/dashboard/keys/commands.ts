import type {CommandOffer} from '../../host/command-offer.ts';
import type {Subject} from '../store/selectors.ts';

/** Commands that the dashboard offers in another way, or that are of no use in it, each with the reason. */
const excludedCommands: Readonly<Record<string, string>> = {
	dashboard: 'it is open',
	help: '? and this palette',
	'session attach': 'z on a session',
	demo: 'it makes a colony of its own',
	completion: 'for a shell',
	'event emit': 'for agents, on standard input',
	run: 'the dashboard has a reactor',
	console: 'it serves until it is ended, from a shell',
	'gate chat': 'it serves until it is ended, from a shell',
};

/** True if the palette offers the command as a line to run. */
export const isOffered = ({path}: Pick<CommandOffer, 'path'>): boolean =>
	!Object.hasOwn(excludedCommands, path);

/**
 * The line that runs the command on the selection, without `hive`. An unknown value is replaced by its hint.
 */
export const commandLineFor = ({path, takes}: CommandOffer, subject: Subject): string =>
	[
		path,
		...takes.flatMap(({flag, hint, required, complete}) => {
			const known = knownValue(complete, subject);
			if (known === undefined && !required) return [];
			return [flag, known ?? hint].filter(Boolean);
		}),
	].join(' ');

const knownValue = (
	complete: string | undefined,
	{trace, task, run, invite}: Subject,
): string | undefined => {
	const values: Readonly<Record<string, string | undefined>> = {
		traces: trace?.traceId,
		tasks: task?.taskId,
		runs: run?.agentId,
		invites: invite?.inviteId,
	};
	return complete === undefined ? undefined : values[complete];
};

/** Splits a line into words as a shell does. Quotes keep blanks together. */
export const splitWords = (line: string): readonly string[] =>
	[...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
		word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
	);

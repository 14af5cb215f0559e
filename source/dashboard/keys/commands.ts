import type {CommandOffer} from '../../host/command-offer.ts';
import type {Subject} from '../store/selectors.ts';

/** What the dashboard does in another way than as the action of that name, or has no use for here. */
const elsewhere: Readonly<Record<string, string>> = {
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

/** Whether the palette offers the command as a line to run. */
export const isOffered = ({path}: Pick<CommandOffer, 'path'>): boolean => !Object.hasOwn(elsewhere, path);

/**
 * The line that runs the command on what is selected, without `hive`; what is not known yet stands as its
 * hint.
 */
export const lineOf = ({path, takes}: CommandOffer, subject: Subject): string =>
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

/** The words of a line as a shell takes them: quotes keep what is between them together. */
export const wordsOf = (line: string): readonly string[] =>
	[...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
		word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
	);

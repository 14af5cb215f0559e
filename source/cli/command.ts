import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {allowShortTrace} from '../host/short-trace.ts';
import {commonFlags, type Flags, type Values} from './flags.ts';
import type {Given} from './read-argv.ts';
import {readValues} from './read-values.ts';
import type {Session} from './session.ts';
import type {Text} from './text.ts';

/** One line of a stream. */
export type Line = {readonly json: object; readonly text: Text};

/** What a command has to say, as data and for people; `cli/output` decides which is printed. */
export type Result =
	| {
			/** Printed with `"v": 1` in front. */
			readonly json: object;
			/** Without the last newline; nothing is printed for empty text. */
			readonly text: Text | (() => Text | Promise<Text>);
			/** Exit code when the command did what was asked and that is not 0 (docs/architecture.md §9). */
			readonly exit?: number;
	  }
	/** Those of one array are written together. */
	| {readonly lines: AsyncIterable<Line | readonly Line[]>; readonly exit?: () => number}
	/** Handed out as they are, past the sanitizer: only where the person asked for that. */
	| {readonly bytes: AsyncIterable<Uint8Array>};

type Described = {
	/** The words that name it: `task retry`. */
	readonly path: string;
	/** One sentence. */
	readonly summary: string;
	/** What the summary leaves open, in paragraphs. */
	readonly description?: string;
	/** Command lines, without `hive`. */
	readonly examples?: readonly string[];
	/** Shape of the JSON document, for the usage: `{v, traceId, taskId, ready}`. */
	readonly json?: string;
};

type Declaration<F extends Flags, A extends Flags> = Described & {
	readonly flags: F;
	/** Positional, in order; only the last may be repeatable. */
	readonly arguments?: A;
	readonly run: (input: Values<F> & Values<A>, session: Session) => Promise<Outcome<Result>>;
};

/** What was given, read: how to run it, once there is a session. */
type Prepared = {
	readonly common: Values<typeof commonFlags>;
	readonly run: (session: Session) => Promise<Outcome<Result>>;
};

/** A declared command: parsing, usage, completion and the readme all read this one record. */
export type Command = Described & {
	readonly flags: Flags;
	readonly arguments: Flags;
	/** Reads what was given on the command line; refuses it with every problem at once. */
	readonly prepare: (given: Given) => Outcome<Prepared>;
};

/**
 * Commands shown together in the help and the readme, by path. A command's file is loaded only when it is
 * named.
 */
export type CommandGroup = {
	readonly title: string;
	readonly commands: Readonly<Record<string, () => Promise<Command>>>;
};

/** Declares a command; the values `run` gets are inferred from its flags and arguments. */
export const command = <const F extends Flags, const A extends Flags = Record<never, never>>({
	run,
	...declared
}: Declaration<F, A>): Command => {
	const positional: Flags = declared.arguments ?? {};
	return {
		...declared,
		arguments: positional,
		prepare: given => {
			const {values, problems} = readValues({...declared.flags, ...commonFlags}, positional, given);
			if (problems.length > 0) {
				return refuse('usage', {
					message: `"hive ${declared.path}" cannot be run as given.`,
					hint: `See "hive help ${declared.path}".`,
					details: problems,
				});
			}
			// Read by these very declarations, name by name: more than the type of a loop can say.
			const input = values as Values<F> & Values<A> & Values<typeof commonFlags>;
			return accepted({
				common: input,
				run: session =>
					typeof values.trace === 'string'
						? allowShortTrace(values.trace, session, trace => run({...input, trace}, session))
						: run(input, session),
			});
		},
	};
};

import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {allowShortTrace} from '../host/short-trace.ts';
import type {CommandContext} from './command-context.ts';
import {commonFlags, type Flags, type Values} from './flags.ts';
import type {ParsedArguments} from './read-argv.ts';
import {readValues} from './read-values.ts';
import type {Text} from './text.ts';

/** One line of a stream. */
export type OutputLine = {readonly json: object; readonly text: Text};

/** The result of a command, as data and for people. `cli/output` decides which is printed. */
export type Result =
	| {
			/** Printed with `"v": 1` in front. */
			readonly json: object;
			/** Without the last newline. Empty text prints nothing. */
			readonly text: Text | (() => Text | Promise<Text>);
			/** Exit code if it is not 0 although the command did what was asked (docs/architecture.md §9). */
			readonly exit?: number;
	  }
	/** The lines of one array are written together. */
	| {readonly lines: AsyncIterable<OutputLine | readonly OutputLine[]>; readonly exit?: () => number}
	/** Written unchanged, past the sanitizer: only where the person asked for that. */
	| {readonly bytes: AsyncIterable<Uint8Array>};

type CommandDescription = {
	/** Its name in words: `task retry`. */
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

type CommandDeclaration<F extends Flags, A extends Flags> = CommandDescription & {
	readonly flags: F;
	/** Positional, in order. Only the last may be repeatable. */
	readonly arguments?: A;
	readonly run: (input: Values<F> & Values<A>, commandContext: CommandContext) => Promise<Outcome<Result>>;
};

/** The parsed command line: how to run it, once there is a session. */
type ParsedCommand = {
	readonly common: Values<typeof commonFlags>;
	readonly run: (commandContext: CommandContext) => Promise<Outcome<Result>>;
};

/** A declared command. Parsing, usage, completion and the page of commands all read this one record. */
export type Command = CommandDescription & {
	readonly flags: Flags;
	readonly arguments: Flags;
	/** Parses the command line; a refusal has every problem at once. */
	readonly prepare: (given: ParsedArguments) => Outcome<ParsedCommand>;
};

/**
 * Commands that the help and the page of commands show together, by path. A command's file is loaded only
 * when the command is named.
 */
export type CommandGroup = {
	readonly title: string;
	readonly commands: Readonly<Record<string, () => Promise<Command>>>;
};

/** Declares a command. The types of `run`'s values are inferred from its flags and arguments. */
export const command = <const F extends Flags, const A extends Flags = Record<never, never>>({
	run,
	...declared
}: CommandDeclaration<F, A>): Command => {
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
			// The cast is safe because these declarations parsed the values; the type of a loop cannot express
			// that.
			const input = values as Values<F> & Values<A> & Values<typeof commonFlags>;
			return accepted({
				common: input,
				run: commandContext =>
					typeof values.trace === 'string'
						? allowShortTrace(values.trace, commandContext, trace => run({...input, trace}, commandContext))
						: run(input, commandContext),
			});
		},
	};
};

import path from 'node:path';
import {version} from '../../package.json';
import {errorMessage} from '../domain/error-message.ts';
import {exitCodes} from '../domain/error-table.ts';
import {type Refusal, refusalOf, refuse} from '../domain/errors.ts';
import type {Redactor} from '../domain/redact.ts';
import {createFaultLog, type FaultLog} from '../host/fault-log.ts';
import type {Host, Surroundings} from '../host/host.ts';
import {redactorOf} from '../host/redactor-of.ts';
import type {
	ChatFace,
	CommandContext,
	ConsoleFace,
	ForgeFace,
	McpFace,
	OfferInit,
	ShowDashboard,
} from './command-context.ts';
import {commandGroups} from './commands.ts';
import {type CommonFlags, runCommandLine} from './invoke.ts';
import {type OutputSettings, printRefusal, printResult, type Sink} from './output.ts';
import {wantsColor} from './text.ts';

/** What the entry point provides to the command line. */
export type EntryPoint = {
	/**
	 * An event that was already read, with the id under which it was offered to a reactor. None accepted it.
	 */
	readonly offered: {readonly text: string; readonly id: string} | undefined;
	readonly openHost: (around: Surroundings) => Host;
	readonly showDashboard: ShowDashboard;
	readonly offerInit: OfferInit;
	readonly loadConsole: () => Promise<ConsoleFace>;
	readonly loadChat: () => Promise<ChatFace>;
	readonly loadMcp: () => Promise<McpFace>;
	readonly loadForge: () => Promise<ForgeFace>;
	/** Clears the screen before a refusal is printed. */
	readonly clearScreen: () => void;
};

/** The input of a command line, from a process or from a test. */
export type CommandInput = {
	readonly argv: readonly string[];
	readonly env: Surroundings['env'];
	readonly cwd: string;
	/** All of standard input. */
	readonly stdin: () => Promise<string>;
	readonly stdout: OutputStream & {readonly columns: number | undefined};
	readonly stderr: OutputStream;
	/** The error of standard output, if it accepts no more for another reason than a closed reader. */
	readonly outputError: () => Error | undefined;
	/** Aborted when the command should end. */
	readonly signal: AbortSignal;
};

type OutputStream = {readonly write: Sink; readonly isTTY: boolean};

/** A command line that can be run once. Both functions return the exit code. */
export const commandLine = (entryPoint: EntryPoint, input: CommandInput) => {
	const {
		offered,
		openHost,
		showDashboard,
		offerInit,
		loadConsole,
		loadChat,
		loadMcp,
		loadForge,
		clearScreen,
	} = entryPoint;
	const {argv, env, stdin, stdout, stderr, outputError, signal} = input;
	let {cwd} = input;
	const faults = createFaultLog({env, cwd: () => cwd, version});
	const outputFor = ({json, color = 'auto'}: Pick<CommonFlags, 'json' | 'color'>): OutputSettings => ({
		stdout: stdout.write,
		stderr: stderr.write,
		json,
		color: {stdout: wantsColor(color, env, stdout.isTTY), stderr: wantsColor(color, env, stderr.isTTY)},
	});
	const createContext = (common: CommonFlags, command: string): CommandContext => {
		cwd = path.resolve(input.cwd, common.path ?? '.');
		faults.note(command);
		return contextIn(cwd, common);
	};
	const contextIn = (folder: string, common: CommonFlags): CommandContext => ({
		...openHost({
			...{cwd: folder, env: {...env}, faults},
			readIssue: async (...asked) => (await loadForge()).readIssue(env, ...asked),
		}),
		stdin: async () => offered?.text ?? stdin(),
		offeredAs: offered?.id,
		stdout: {isTTY: stdout.isTTY, columns: stdout.columns, color: outputFor(common).color.stdout},
		showDashboard,
		offerInit,
		loadConsole,
		loadChat,
		loadMcp,
		loadForge,
		json: common.json,
		color: common.color ?? 'auto',
		signal,
	});
	const printRefused = (refusal: Refusal): Promise<number> => {
		clearScreen();
		return printRefusal(
			redactRefusal(refusal, redactorOf(env)),
			outputFor({json: argv.includes('--json') && outputError() === undefined, color: undefined}),
		);
	};
	const refuseError = (error: unknown): Promise<number> => printRefused(refusalFrom(error, faults));
	const run = async (): Promise<number> => {
		const exit = await runCommandLine(argv, commandGroups, createContext, (result, common) =>
			printResult(result, outputFor(common)),
		).then(
			outcome => (outcome.ok ? outcome.value : printRefused(outcome.refusal)),
			error => (signal.aborted ? exitCodes.done : refuseError(error)),
		);
		const failure = outputError();
		if (failure === undefined) return exit;
		const details = [{path: '', message: failure.message}];
		return printRefused(refuse('output_failed', {details}).refusal);
	};
	return {run, refuseError};
};

/** Redacts a refusal, since it often repeats input, which may be a key that was pasted in the wrong place. */
const redactRefusal = ({code, message, hint, details}: Refusal, redact: Redactor): Refusal => ({
	code,
	message: redact(message),
	hint: redact(hint),
	details: details.map(detail => ({
		...detail,
		path: redact(detail.path),
		message: redact(detail.message),
		...(detail.hint === undefined ? {} : {hint: redact(detail.hint)}),
	})),
});

/**
 * Returns the refusal that an error carries. Any other error becomes an internal one, which names its cause
 * and its report.
 */
const refusalFrom = (error: unknown, faults: FaultLog): Refusal => {
	const refusal = refusalOf(error);
	if (refusal !== undefined) return refusal;
	const cause = {path: '', message: errorMessage(error)};
	const file = faults.report(error);
	if (file === undefined) return refuse('internal', {details: [cause]}).refusal;
	return refuse('internal', {
		details: [cause, {path: file, message: 'has the details.'}],
		hint: 'Run the command again. If it fails again, report it with that file.',
	}).refusal;
};

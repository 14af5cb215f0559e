import path from 'node:path';
import {version} from '../../package.json';
import {errorMessage} from '../domain/error-message.ts';
import {exitCodes} from '../domain/error-table.ts';
import {type Refusal, refusalOf, refuse} from '../domain/errors.ts';
import type {Redactor} from '../domain/redact.ts';
import {createFaultLog, type FaultLog} from '../host/fault-log.ts';
import type {Host, Surroundings} from '../host/host.ts';
import {redactorOf} from '../host/redactor-of.ts';
import {commandGroups} from './commands.ts';
import {type Common, invoke} from './invoke.ts';
import {type Face, printRefusal, printResult, type Sink} from './output.ts';
import type {ChatFace, ConsoleFace, OfferInit, Session, ShowDashboard} from './session.ts';
import {wantsColor} from './text.ts';

/** What the entry point provides to the command line. */
export type Started = {
	/**
	 * An event that was already read, with the id under which it was offered to a reactor. None accepted it.
	 */
	readonly offered: {readonly text: string; readonly id: string} | undefined;
	readonly openHost: (around: Surroundings) => Host;
	readonly showDashboard: ShowDashboard;
	readonly offerInit: OfferInit;
	readonly loadConsole: () => Promise<ConsoleFace>;
	readonly loadChat: () => Promise<ChatFace>;
	/** Clears the screen before a refusal is printed. */
	readonly clearScreen: () => void;
};

/** The input of a command line, from a process or from a test. */
export type Given = {
	readonly argv: readonly string[];
	readonly env: Surroundings['env'];
	readonly cwd: string;
	/** All of standard input. */
	readonly stdin: () => Promise<string>;
	readonly stdout: Output & {readonly columns: number | undefined};
	readonly stderr: Output;
	/** The error of standard output, if it accepts no more for another reason than a closed reader. */
	readonly unwritten: () => Error | undefined;
	/** Aborted when the command should end. */
	readonly signal: AbortSignal;
};

type Output = {readonly write: Sink; readonly isTTY: boolean};

/** A command line that can be run once. Both functions return the exit code. */
export const commandLine = (started: Started, given: Given) => {
	const {offered, openHost, showDashboard, offerInit, loadConsole, loadChat, clearScreen} = started;
	const {argv, env, stdin, stdout, stderr, unwritten, signal} = given;
	let {cwd} = given;
	const faults = createFaultLog({env, cwd: () => cwd, version});
	const faceOf = ({json, color = 'auto'}: Pick<Common, 'json' | 'color'>): Face => ({
		stdout: stdout.write,
		stderr: stderr.write,
		json,
		color: {stdout: wantsColor(color, env, stdout.isTTY), stderr: wantsColor(color, env, stderr.isTTY)},
	});
	const startSession = (common: Common, command: string): Session => {
		cwd = path.resolve(given.cwd, common.path ?? '.');
		faults.note(command);
		return sessionIn(cwd, common);
	};
	const sessionIn = (folder: string, common: Common): Session => ({
		...openHost({cwd: folder, env: {...env}, faults}),
		stdin: async () => offered?.text ?? stdin(),
		offeredAs: offered?.id,
		stdout: {isTTY: stdout.isTTY, columns: stdout.columns, color: faceOf(common).color.stdout},
		showDashboard,
		offerInit,
		loadConsole,
		loadChat,
		json: common.json,
		color: common.color ?? 'auto',
		signal,
	});
	const refused = (refusal: Refusal): Promise<number> => {
		clearScreen();
		return printRefusal(
			redactRefusal(refusal, redactorOf(env)),
			faceOf({json: argv.includes('--json') && unwritten() === undefined, color: undefined}),
		);
	};
	const refuseError = (error: unknown): Promise<number> => refused(refusalFrom(error, faults));
	const run = async (): Promise<number> => {
		const exit = await invoke(argv, commandGroups, startSession, (result, common) =>
			printResult(result, faceOf(common)),
		).then(
			outcome => (outcome.ok ? outcome.value : refused(outcome.refusal)),
			error => (signal.aborted ? exitCodes.done : refuseError(error)),
		);
		const failure = unwritten();
		if (failure === undefined) return exit;
		const details = [{path: '', message: failure.message}];
		return refused(refuse('output_failed', {details}).refusal);
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
		details: [cause, {path: file, message: 'says where and when.'}],
		hint: 'Run the command again; if it stays, report it with that file.',
	}).refusal;
};

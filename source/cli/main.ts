import path from 'node:path';
import {version} from '../../package.json';
import {exitCodes} from '../domain/error-table.ts';
import {type Refusal, refusalOf, refuse} from '../domain/errors.ts';
import type {Redactor} from '../domain/redact.ts';
import {createFaultLog, type FaultLog} from '../host/fault-log.ts';
import type {Host, Surroundings} from '../host/host.ts';
import {redactorOf} from '../host/redactor-of.ts';
import {commandGroups} from './commands.ts';
import {type Common, invoke} from './invoke.ts';
import {type Face, printRefusal, printResult} from './output.ts';
import type {ChatFace, ConsoleFace, OfferInit, Session, ShowDashboard} from './session.ts';
import {stopOnSignals} from './stop-on-signals.ts';
import {readAll, streamSink} from './streams.ts';
import {wantsColor} from './text.ts';

/** What the program that was started hands to the command line. */
export type Started = {
	/** An event that was read already, with the id it was offered to a reactor under; none took it. */
	readonly offered: {readonly text: string; readonly id: string} | undefined;
	readonly openHost: (around: Surroundings) => Host;
	readonly showDashboard: ShowDashboard;
	readonly offerInit: OfferInit;
	readonly loadConsole: () => Promise<ConsoleFace>;
	readonly loadChat: () => Promise<ChatFace>;
	/** Takes away what is on the screen already, before a refusal is printed. */
	readonly clearScreen: () => void;
};

/** Runs the command line of this process and ends the process with its exit code. */
export const main = async (started: Started): Promise<void> => {
	const {offered, openHost, showDashboard, offerInit, loadConsole, loadChat, clearScreen} = started;
	const argv = process.argv.slice(2);
	const stopping = stopOnSignals();
	const {env} = process;
	let cwd = process.cwd();
	const faults = createFaultLog({env, cwd: () => cwd, version});
	let unwritten: Error | undefined;
	const stdout = streamSink(process.stdout, error => {
		unwritten = error;
		stopping.abort();
	});
	const stderr = streamSink(process.stderr, () => {});
	const faceOf = ({json, color = 'auto'}: Pick<Common, 'json' | 'color'>): Face => ({
		stdout,
		stderr,
		json,
		color: {
			stdout: wantsColor(color, env, process.stdout.isTTY),
			stderr: wantsColor(color, env, process.stderr.isTTY),
		},
	});
	const startSession = (common: Common, command: string): Session => {
		cwd = path.resolve(common.path ?? '.');
		faults.note(command);
		return sessionIn(cwd, common);
	};
	const sessionIn = (folder: string, common: Common): Session => ({
		...openHost({cwd: folder, env: {...env}, faults}),
		stdin: async () => offered?.text ?? readAll(process.stdin),
		offeredAs: offered?.id,
		stdout: {
			isTTY: process.stdout.isTTY === true,
			columns: process.stdout.columns,
			color: faceOf(common).color.stdout,
		},
		showDashboard,
		offerInit,
		loadConsole,
		loadChat,
		json: common.json,
		color: common.color ?? 'auto',
		signal: stopping.signal,
	});
	const refused = (refusal: Refusal): Promise<number> => {
		clearScreen();
		return printRefusal(
			redactRefusal(refusal, redactorOf(env)),
			faceOf({json: argv.includes('--json') && unwritten === undefined, color: undefined}),
		);
	};
	let isFailing = false;
	process.on('uncaughtException', error => {
		if (isFailing) process.exit(exitCodes.failed);
		isFailing = true;
		void refused(refusalFrom(error, faults)).finally(() => process.exit(exitCodes.failed));
	});
	const exit = await invoke(argv, commandGroups, startSession, (result, common) =>
		printResult(result, faceOf(common)),
	).then(
		outcome => (outcome.ok ? outcome.value : refused(outcome.refusal)),
		error => (stopping.signal.aborted ? exitCodes.done : refused(refusalFrom(error, faults))),
	);
	if (unwritten === undefined) process.exit(stopping.exitCode() ?? exit);
	const details = [{path: '', message: unwritten.message}];
	process.exit(await refused(refuse('output_failed', {details}).refusal));
};

/** What is refused is often said again, and may be a key that was pasted in the wrong place. */
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

/** An error as the refusal that it carries; any other is an internal one, which names its cause and its report. */
const refusalFrom = (error: unknown, faults: FaultLog): Refusal => {
	const refusal = refusalOf(error);
	if (refusal !== undefined) return refusal;
	const cause = {path: '', message: error instanceof Error ? error.message : String(error)};
	const file = faults.report(error);
	if (file === undefined) return refuse('internal', {details: [cause]}).refusal;
	return refuse('internal', {
		details: [cause, {path: file, message: 'says where and when.'}],
		hint: 'Run the command again; if it stays, report it with that file.',
	}).refusal;
};

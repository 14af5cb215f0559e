import path from 'node:path';
import {exitCodes} from '../domain/error-table.ts';
import {type Refusal, refusalOf, refuse} from '../domain/errors.ts';
import type {Redactor} from '../domain/redact.ts';
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
	const stdout = streamSink(process.stdout, stopping.abort);
	const stderr = streamSink(process.stderr, () => {});
	const faceOf = ({json, color = 'auto'}: Pick<Common, 'json' | 'color'>): Face => ({
		stdout,
		stderr,
		json,
		color: {
			stdout: wantsColor(color, process.env, process.stdout.isTTY),
			stderr: wantsColor(color, process.env, process.stderr.isTTY),
		},
	});
	const startSession = (common: Common): Session => ({
		...openHost({cwd: path.resolve(common.path ?? '.'), env: {...process.env}}),
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
			redactRefusal(refusal, redactorOf(process.env)),
			faceOf({json: argv.includes('--json'), color: undefined}),
		);
	};
	const exit = await invoke(argv, commandGroups, startSession, (result, common) =>
		printResult(result, faceOf(common)),
	).then(
		outcome => (outcome.ok ? outcome.value : refused(outcome.refusal)),
		error => (stopping.signal.aborted ? exitCodes.done : refused(refusalFrom(error))),
	);
	process.exit(stopping.exitCode() ?? exit);
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

/** A fault as the refusal it carries, or as an internal error that names its cause. */
const refusalFrom = (error: unknown): Refusal => {
	const message = error instanceof Error ? error.message : String(error);
	return refusalOf(error) ?? refuse('internal', {details: [{path: '', message}]}).refusal;
};

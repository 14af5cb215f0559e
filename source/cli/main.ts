import path from 'node:path';
import {secretsOf} from '../agents/secrets.ts';
import {wipeSkeleton} from '../dashboard/skeleton.ts';
import {exitCodes} from '../domain/error-table.ts';
import {type Refusal, refusalOf, refuse} from '../domain/errors.ts';
import {createRedactor, type Redactor} from '../domain/redact.ts';
import {openSession} from '../wire/session.ts';
import {commandGroups} from './commands.ts';
import {type Common, invoke} from './invoke.ts';
import type {Offered} from './offer-event.ts';
import {type Face, printRefusal, printResult} from './output.ts';
import type {LoadDashboard, Session} from './session.ts';
import {stopOnSignals} from './stop-on-signals.ts';
import {readAll, streamSink} from './streams.ts';
import {wantsColor} from './text.ts';

export type Entered = {
	/** An event that the entry has read, and no reactor took. */
	readonly offered: Offered | undefined;
	/** The first frame of the dashboard is on the screen. */
	readonly isPainted: boolean;
	readonly loadDashboard: LoadDashboard;
};

/** Runs the command line of this process and ends the process with its exit code. */
export const main = async ({offered, isPainted, loadDashboard}: Entered): Promise<void> => {
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
	const startSession = (common: Common): Session =>
		openSession({
			cwd: path.resolve(common.path ?? '.'),
			env: process.env,
			stdin: async () => offered?.text ?? readAll(process.stdin),
			offeredAs: offered?.id,
			stdout: {
				isTTY: process.stdout.isTTY === true,
				columns: process.stdout.columns,
				color: faceOf(common).color.stdout,
			},
			isPainted,
			loadDashboard,
			json: common.json,
			color: common.color ?? 'auto',
			signal: stopping.signal,
			commands: commandGroups,
		});
	const refused = (refusal: Refusal): Promise<number> => {
		if (isPainted) wipeSkeleton(text => process.stdout.write(text));
		return printRefusal(
			redactRefusal(refusal, createRedactor(secretsOf(process.env, {}))),
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

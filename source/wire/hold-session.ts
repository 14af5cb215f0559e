import {basename} from 'node:path';
import {sanitizeText} from '../domain/sanitize.ts';
import {createSerialQueue} from '../domain/serial-queue.ts';
import type {SessionStatus} from '../domain/session-status.ts';
import {titleFrom} from '../domain/title.ts';
import {createSystemClock} from '../drivers/clock.ts';
import {createFiles} from '../drivers/files.ts';
import {serveLinks} from '../drivers/private-socket/links.ts';
import {type EndingLogOut, endingLogOut, loginFacts} from '../drivers/processes/log-out.ts';
import {openPty} from '../drivers/pty.ts';
import {randomHex} from '../drivers/random.ts';
import type {Clock} from '../ports/clock.ts';
import type {Files} from '../ports/files.ts';
import {runPath} from '../runs/layout.ts';
import {logOutWarning, readSession, writeSession} from '../runs/session.ts';
import {createTerminalEmulator} from '../screen/terminal-emulator.ts';
import {programEnvironment} from '../sessions/environment.ts';
import {holdSession} from '../sessions/hold-session.ts';
import {createRecording} from '../sessions/recording.ts';
import {createReplies} from '../sessions/replies.ts';
import {createStatusWatch} from '../sessions/status-watch.ts';
import {createTranscript, type Transcript} from '../sessions/transcript.ts';

/**
 * Holds the terminal of one session until its program ends; resolves with its exit code. All of its code is
 * loaded before that, so it goes on when hive is replaced.
 * @param directory directory of the run, with a `session.json`
 * @param argv the program, started in this process's directory and environment
 */
export const holdSessionOf = async (directory: string, argv: readonly string[]): Promise<number> => {
	const files = createFiles();
	const clock = createSystemClock();
	const session = await readSession(files, directory);
	if (session === undefined) throw new Error(`${directory} is no session.`);
	const detectingLogOut = endingLogOut(loginFacts(process.env));
	const {columns, rows, trueColor} = session;
	const key = randomHex(32);
	await files.create(runPath(directory, 'sessionKey'), key, {mode: 0o600});
	const env = programEnvironment(process.env, {trueColor});
	const pty = openPty({argv, env, cwd: process.cwd(), columns, rows});
	const screen = createTerminalEmulator(
		{columns, rows},
		{
			scrollback: scrollbackRows,
			onReply: createReplies(pty),
			onScrolledOff: line => transcript.scrolled([line]),
			onCalled: () => statusWatch.called(),
		},
	);
	/** Writes one after the other, each with the state at that time. */
	const queue = createSerialQueue();
	let attached = 0;
	let status: SessionStatus | undefined;
	let title: string | undefined;
	let endsAtLogOut: EndingLogOut | undefined;
	const note = (): Promise<void> =>
		queue(() =>
			writeSession(files, directory, {
				...{...session, pid: pty.pid, attached, ...(status && {status}), ...(title && {title})},
				...(endsAtLogOut && {endsAtLogOut}),
			}),
		);
	/** A record with the process id says that viewers can join. */
	let isServed = false;
	// A failed write must not end the session.
	const noteLater = (): void => {
		if (isServed) void note().catch(() => {});
	};
	const transcript: Transcript = createTranscript({
		...{clock, screen},
		append: text => files.append(runPath(directory, 'transcript'), text),
		onUser: content => {
			if (title !== undefined) return;
			title = titleFrom(sanitizeText(content).text);
			noteLater();
		},
		failed: reason => warn(`The transcript is not written any more: ${reason}`),
	});
	const recording = createRecording({
		...{clock, files, size: {columns, rows}, budget: session.recording},
		folder: runPath(directory, 'recording'),
		snapshot: () => screen.snapshot({scrollback: 0}),
		failed: reason => transcript.note(`The recording has ended: ${reason}`),
	});
	transcript.note(`A session with ${session.bee} began.`);
	if (session.words !== undefined) transcript.addPrompt(session.words);
	const attended = (viewers: number): void => {
		attached = viewers;
		noteLater();
	};
	const statusWatch = createStatusWatch({
		...{clock, screen},
		onStatus: now => {
			status = now;
			noteLater();
		},
	});
	const recorders = [transcript, recording, statusWatch];
	const {join, over} = holdSession({clock, pty, screen, key, recorders, attended});
	const ended = new AbortController();
	watchHooks({clock, files}, directory, ended.signal, statusWatch.called);
	for (const name of ['SIGINT', 'SIGHUP']) process.on(name, () => {});
	process.on('SIGTERM', () => {
		pty.signal('SIGHUP');
		pty.signal('SIGTERM');
	});
	const stopServing = await serveLinks(runPath(directory, 'sessionSocket'), join);
	endsAtLogOut = await detectingLogOut;
	const warning = logOutWarning({endsAtLogOut});
	if (warning !== '') transcript.note(warning);
	isServed = true;
	await note();
	const exitCode = await over;
	statusWatch.end();
	ended.abort();
	await Promise.all([transcript.end(`The program ended with exit code ${exitCode}.`), recording.end()]);
	await stopServing();
	await queue(() => {});
	return exitCode;
};

const scrollbackRows = 5000;

/** Milliseconds between two looks at the file of the hooks. A program could write there without end. */
const hookIntervalMs = 250;

/** Calls back when a hook of the tool reports that it waits. Its file grows; nothing is read from it. */
const watchHooks = (
	{clock, files}: {readonly clock: Clock; readonly files: Files},
	directory: string,
	signal: AbortSignal,
	onCalled: () => void,
): void => {
	const path = runPath(directory, 'asked');
	let size = 0;
	let isDue = false;
	const look = async (): Promise<void> => {
		isDue = false;
		const now = (await files.size(path)) ?? 0;
		if (now > size && !signal.aborted) onCalled();
		size = now;
	};
	const lookSoon = (): void => {
		if (isDue) return;
		isDue = true;
		// If it cannot be read, the screen alone tells the state.
		clock.after(hookIntervalMs, () => void look().catch(() => {}));
	};
	files.watch(runPath(directory, 'spool'), signal, name => {
		if (name === '' || name === basename(path)) lookSoon();
	});
	// The program may have called before.
	lookSoon();
};

/** Writes to the run's error log. */
const warn = (text: string): void => {
	try {
		process.stderr.write(`${text}\n`);
	} catch {
		// The disk with the log is full.
	}
};

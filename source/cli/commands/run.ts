import {exitCodes} from '../../domain/error-table.ts';
import {accepted} from '../../domain/errors.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {traceNotFound} from '../../domain/not-found.ts';
import {holdReactor} from '../../host/hold-reactor.ts';
import {watchWork} from '../../host/live/watch-work.ts';
import type {StalledWork} from '../../host/waits/stalled-work.ts';
import {command, type OutputLine} from '../command.ts';
import {endWithParent} from '../end-with-parent.ts';
import {createEventLines} from '../event-line.ts';
import {boolean, duration, text} from '../flags.ts';

export const run = command({
	path: 'run',
	summary: 'Run the reactor: start what is ready, watch it, and say what happens.',
	description:
		'A checkout has one reactor. If another process has it, this command follows that one, and takes over when it ends. At its start a reactor prints the errors below .hive/ that "hive doctor" finds; it leaves out only bees that cannot be read. Runs outlive the reactor. With --until-idle it exits when nothing more can be done now. Exit codes: 0 all done; 9 a task or its planning failed, or a task was cancelled; 7 honey or a limit exhausted; 8 a person has to act, a tool limit pauses a task, a request never started, or a forge did not take a pull request within five minutes. The last lines then say what it waits for.',
	flags: {
		untilIdle: boolean({summary: 'Exit when nothing more can be done now.'}),
		timeout: duration({summary: 'Exit with 124 after this long.', hint: '<5m>'}),
		trace: text({summary: 'Work on this trace only.', hint: '<id>', complete: 'traces'}),
		untilStdinEnds: boolean({summary: 'Exit when standard input ends; for programs that start a reactor.'}),
	},
	examples: ['run', 'run --until-idle --timeout 30m'],
	json: 'one line per event: {v, sequence, id, at, traceId, agentId, type, payload}; with --until-idle at the end one per trace that never began: {v, traceId, neverBegan, next}, and per what waits for a person or for its tool: {v, traceId, waits, next}',
	run: async (input, commandContext) => {
		const endController = new AbortController();
		if (input.untilStdinEnds) endWithParent(commandContext, () => endController.abort());
		const context = await commandContext.open();
		const {bus, clock} = context;
		const work = await watchWork(context);
		if (input.trace !== undefined && !(await work.knows(input.trace))) return traceNotFound(input.trace);
		const report = (message: string) => void process.stderr.write(`hive: ${message}\n`);
		commandContext.signal.addEventListener('abort', () => endController.abort());
		let exit: number = exitCodes.done;
		const stop = (code: number) => {
			exit = code;
			endController.abort();
		};
		if (input.timeout !== undefined) clock.after(input.timeout, () => stop(exitCodes.timeout));
		const from = work.position();
		const heldReactor = holdReactor(commandContext, {
			...{bus, clock},
			only: input.trace,
			report,
			signal: endController.signal,
			taken: () => report('The reactor of this checkout runs here. Ctrl+C ends it; runs go on.'),
		});
		if (input.untilIdle) void heldReactor.idle.then(() => stop(exitCodes.done));
		let failed: unknown;
		heldReactor.over.catch((error: unknown) => {
			failed = error;
			endController.abort();
		});
		const formatEvent = createEventLines();
		const lines = formatBatches(
			bus.follow({after: from, signal: endController.signal}),
			formatEvent,
			work.addEvents,
		);
		const rest = async function* () {
			if (failed !== undefined) throw failed;
			// The reactor may become idle before its last events have been read.
			yield* formatBatches(bus.read({after: work.position()}), formatEvent, work.addEvents);
			if (!input.untilIdle || exit !== exitCodes.done) return;
			const idle = await work.idle(input.trace);
			exit = idle.exitCode;
			yield* idle.standing.map(formatStanding);
		};
		return accepted({
			lines: untilDone(lines, heldReactor.close, rest),
			exit: () => exit,
		});
	},
});

const formatStanding = ({traceId, why, next, hasBegun}: StalledWork): OutputLine => ({
	json: {traceId, [hasBegun ? 'waits' : 'neverBegan']: why, ...(next === undefined ? {} : {next})},
	text: [
		{text: `${traceId} ${hasBegun ? 'waits' : 'never began'}: ${why}`, style: 'attention'},
		next === undefined ? '' : `\n       Next: ${next}`,
	],
});

/** Yields one line per event, after the event has been folded in. */
async function* formatBatches(
	batches: AsyncIterable<readonly StoredEvent[]>,
	formatEvent: (event: StoredEvent) => OutputLine,
	take: (events: readonly StoredEvent[]) => void,
): AsyncGenerator<readonly OutputLine[]> {
	for await (const events of batches) {
		take(events);
		yield events.map(formatEvent);
	}
}

async function* untilDone(
	lines: AsyncIterable<readonly OutputLine[]>,
	close: () => Promise<void>,
	rest: () => AsyncIterable<OutputLine | readonly OutputLine[]>,
): AsyncGenerator<OutputLine | readonly OutputLine[]> {
	try {
		yield* lines;
	} finally {
		await close();
	}
	yield* rest();
}

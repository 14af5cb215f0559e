import {errorTable, exitCodes} from '../../domain/error-table.ts';
import {accepted, HiveError} from '../../domain/errors.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {traceNotFound} from '../../domain/not-found.ts';
import {type Decisions, isStarved, readDecisions} from '../../host/decisions.ts';
import {holdReactor} from '../../host/hold-reactor.ts';
import {hasWork, idleExit} from '../../host/idle-exit.ts';
import {openLedger} from '../../ledger/ledger.ts';
import {command, type Line} from '../command.ts';
import {endWithKeeper} from '../end-with-keeper.ts';
import {createEventLines} from '../event-line.ts';
import {boolean, duration, text} from '../flags.ts';

export const run = command({
	path: 'run',
	summary: 'Run the reactor: start what is ready, watch it, and say what happens.',
	description:
		'One reactor works a checkout. When another process has it, this one follows and takes over when that ends. Runs outlive the reactor. With --until-idle it exits when nothing is left that could be done now: 0 all done, 9 a task or its planning failed, or a task was cancelled, 7 honey exhausted, 8 a person is awaited.',
	flags: {
		untilIdle: boolean({summary: 'Exit when nothing is left that could be done now.'}),
		timeout: duration({summary: 'Exit with 124 after this long.', hint: '<5m>'}),
		trace: text({summary: 'Work on this trace only.', hint: '<id>', complete: 'traces'}),
		untilStdinEnds: boolean({summary: 'Exit when standard input ends; how another program keeps a reactor.'}),
	},
	examples: ['run', 'run --until-idle --timeout 30m'],
	json: 'one line per event: {v, sequence, id, at, traceId, agentId, type, payload}',
	run: async (input, session) => {
		const over = new AbortController();
		if (input.untilStdinEnds) endWithKeeper(session, () => over.abort());
		const context = await session.open();
		const {bus, clock} = context;
		const ledger = await openLedger(bus);
		if (input.trace !== undefined && !ledger.traces().has(input.trace)) return traceNotFound(input.trace);
		const report = (message: string) => void process.stderr.write(`hive: ${message}\n`);
		session.signal.addEventListener('abort', () => over.abort());
		let exit: number = exitCodes.done;
		const stop = (code: number) => {
			exit = code;
			over.abort();
		};
		if (input.timeout !== undefined) clock.after(input.timeout, () => stop(exitCodes.timeout));
		const from = ledger.position();
		const worked = new Set([...ledger.traces().values()].filter(hasWork).map(({traceId}) => traceId));
		const held = holdReactor(session, {
			clock,
			only: input.trace,
			report,
			signal: over.signal,
			taken: () => report('The reactor of this checkout runs here. Ctrl+C ends it; runs go on.'),
		});
		if (input.untilIdle) void held.idle.then(() => stop(exitCodes.done));
		held.over.catch((error: unknown) => {
			report(error instanceof Error ? error.message : String(error));
			stop(error instanceof HiveError ? errorTable[error.refusal.code].exit : exitCodes.unreachable);
		});
		const lineOf = createEventLines();
		const hear = (events: readonly StoredEvent[]) => {
			for (const {traceId} of events) worked.add(traceId);
			ledger.apply(events);
		};
		const lines = linesOf(bus.follow({after: from, signal: over.signal}), lineOf, hear);
		let decisions: Decisions | undefined;
		// The reactor may be idle before its last words have come through.
		const rest = async function* () {
			yield* linesOf(bus.read({after: ledger.position()}), lineOf, hear);
			if (!input.untilIdle) return;
			const read = await readDecisions(context, ledger);
			for (const id of read.pending()) if (isStarved(read.of(ledger.snapshot(id)))) worked.add(id);
			decisions = read;
		};
		return accepted({
			lines: untilDone(lines, held.close, rest),
			exit: () =>
				exit === exitCodes.done && decisions !== undefined
					? idleExit(
							[...worked].filter(id => input.trace === undefined || id === input.trace).map(ledger.snapshot),
							decisions.of,
						)
					: exit,
		});
	},
});

/** One line per event, once it is heard. */
async function* linesOf(
	batches: AsyncIterable<readonly StoredEvent[]>,
	lineOf: (event: StoredEvent) => Line,
	hear: (events: readonly StoredEvent[]) => void,
): AsyncGenerator<Line> {
	for await (const events of batches) {
		hear(events);
		for (const event of events) yield lineOf(event);
	}
}

async function* untilDone(
	lines: AsyncIterable<Line>,
	close: () => Promise<void>,
	rest: () => AsyncIterable<Line>,
): AsyncGenerator<Line> {
	try {
		yield* lines;
	} finally {
		await close();
	}
	yield* rest();
}

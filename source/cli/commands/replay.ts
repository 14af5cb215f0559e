import {accepted, type Outcome} from '../../domain/errors.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {traceNotFound} from '../../domain/not-found.ts';
import {reserveOf} from '../../domain/reserve.ts';
import {statusWords} from '../../domain/status-words.ts';
import {openRuns, titleOrId} from '../../domain/trace.ts';
import {readEvents} from '../../host/events.ts';
import {type PastTrace, readPast} from '../../host/history.ts';
import {formatHoney, formatSpending} from '../../host/views/format-reserve.ts';
import {localDate, localTime} from '../../host/views/local-time.ts';
import {beeName} from '../../host/views/name.ts';
import {traceSnapshot, traceView} from '../../host/views/trace.ts';
import {command, type OutputLine, type Result} from '../command.ts';
import type {CommandContext} from '../command-context.ts';
import {eventLine, subjectOf} from '../event-line.ts';
import {integer, text} from '../flags.ts';
import {taskTable} from '../task-table.ts';
import type {Text} from '../text.ts';

export const replay = command({
	path: 'replay',
	summary:
		'Print every event of a trace, in order, or the trace as it was after one of them. Nothing runs again.',
	flags: {
		at: integer({
			summary: 'Print the trace as it was at this sequence of the log.',
			hint: '<sequence>',
			min: 1,
		}),
	},
	arguments: {trace: text({summary: 'Trace to print.', hint: '<trace>', required: true, complete: 'traces'})},
	examples: ['replay c1b20001', 'replay c1b20001 --at 120'],
	json: 'one line per event: {v, sequence, id, at, traceId, agentId, type, payload}; with --at one document: {v, sequence, at, kind, number, count, trace: as "hive status" has it}',
	run: async ({trace: traceId, at}, commandContext) => {
		if (at !== undefined) return showPast(commandContext, traceId, at);
		const events = readEvents(await commandContext.open(), traceId);
		const first = await events.next();
		if (first.done) return traceNotFound(traceId);
		return accepted({lines: linesOf(first.value, events)});
	},
});

async function* linesOf(first: StoredEvent, rest: AsyncIterable<StoredEvent>): AsyncGenerator<OutputLine> {
	yield eventLine(first);
	for await (const event of rest) yield eventLine(event);
}

const showPast = async (
	commandContext: CommandContext,
	traceId: string,
	at: number,
): Promise<Outcome<Result>> => {
	const context = await commandContext.open();
	const past = await readPast(context, traceId, at);
	if (!past.ok) return past;
	const {trace, event, number, count} = past.value;
	const {budget, defaultBee} = context.colony.defaults;
	const {sequence, at: announced, payload} = event;
	const reserve = reserveOf(trace, budget);
	return accepted({
		json: {sequence, at: announced, kind: payload.kind, number, count, trace: traceSnapshot(trace, budget)},
		text: async (): Promise<Text> => [
			...headOf(past.value),
			`${[`honey ${formatHoney(reserve)}`, ...formatSpending(reserve)].join(' · ')}\n`,
			...openRuns(trace).map(({bee, agentId}) => `${beeName(bee)} was at work (${agentId})\n`),
			'\n',
			...[await taskTable(trace, defaultBee, commandContext.stdout.columns)].flat(),
		],
	});
};

const headOf = ({trace, event, number, count}: PastTrace) => [
	{text: titleOrId(trace), style: 'strong'} as const,
	`  ${statusWords(traceView(trace).state)}\n`,
	{
		text: `As of event ${event.sequence}, ${number} of ${count}, ${localDate(event.at)} ${localTime(event.at)}: ${[
			event.payload.kind,
			subjectOf(event.payload),
		]
			.filter(Boolean)
			.join('  ')}\n`,
		style: 'dim',
	} as const,
];

import {accepted, refuse} from '../../domain/errors.ts';
import {openRunLog} from '../../host/logs/logs.ts';
import type {TimedText} from '../../host/logs/run-log.ts';
import {localDate, localTime} from '../../host/views/local-time.ts';
import {command, type OutputLine} from '../command.ts';
import {boolean, text} from '../flags.ts';

export const logs = command({
	path: 'logs',
	summary: 'Print what a run wrote to standard output, from the start.',
	description:
		'A JSON stream of an agent is shown as its words and the tools that it called. Control sequences are removed, and known secrets redacted. --full has the whole input and output of each tool call, at most 256 KiB. --raw prints the output as it was written, with secrets redacted. Control sequences can change a terminal, so --raw needs a file, a pipe or --yes. --times prints the time before each line, in your time zone, with the date unless it is today. The time comes from the tool, or else is exact to a second. Runs of older versions of hive have no times.',
	flags: {
		follow: boolean({summary: 'Follow the output until the run ends.', short: 'f'}),
		stderr: boolean({summary: 'Print its standard error instead.'}),
		times: boolean({summary: 'Print the time before each line.'}),
		full: boolean({summary: 'Print the whole input and output of each tool call.'}),
		raw: boolean({summary: 'Print the output as it was written, with control sequences and JSON.'}),
		yes: boolean({summary: 'Allow --raw on a terminal.', short: 'y'}),
	},
	arguments: {agent: text({summary: 'Run to print.', hint: '<agentId>', required: true, complete: 'runs'})},
	examples: [
		'logs 1f0c9a7be2d34c55 --follow --times',
		'logs 1f0c9a7be2d34c55 --stderr',
		'logs 1f0c9a7be2d34c55 --full',
	],
	json: 'one line per line: {v, agentId, stream, line, at?}',
	run: async ({agent, follow, stderr, times, full, raw, yes}, commandContext) => {
		if (raw && commandContext.json) return refuse('usage', {message: '--raw and --json exclude each other.'});
		if (raw && times) return refuse('usage', {message: '--raw and --times exclude each other.'});
		if (raw && full) return refuse('usage', {message: '--raw and --full exclude each other.'});
		if (raw && commandContext.stdout.isTTY && !yes)
			return refuse('usage', {
				message: '--raw could change your terminal, since an agent wrote the bytes.',
				hint: 'Send it to a file or a pipe, or add --yes.',
			});
		const stream = stderr ? 'stderr' : 'stdout';
		const opened = await openRunLog(commandContext, agent, {
			stream,
			follow: follow ? commandContext.signal : undefined,
		});
		if (!opened.ok) return opened;
		if (raw) return accepted({bytes: opened.value.bytes()});
		const before = times ? createTimeColumn((await commandContext.open()).clock.now) : undefined;
		const lines = logLines(opened.value.lines(full), {agentId: agent, stream}, before);
		const isRead = commandContext.stdout.isTTY && !commandContext.json;
		return accepted({
			lines: isRead ? withEmptyNote(lines, `The run has written nothing to ${stream}.`) : lines,
		});
	},
});

async function* logLines(
	lines: AsyncIterable<TimedText>,
	of: {readonly agentId: string; readonly stream: 'stdout' | 'stderr'},
	before: TimeColumn | undefined,
): AsyncGenerator<OutputLine> {
	for await (const {text: line, at} of lines)
		yield {json: {...of, line, ...(at !== undefined && {at})}, text: before ? [before(at), line] : line};
}

type TimeColumn = (at: string | undefined) => {readonly text: string; readonly style: 'dim'};

/**
 * Formats the time of a line, with its date unless that is today. The column never gets narrower, so
 * that lines stay aligned.
 */
const createTimeColumn = (now: () => number): TimeColumn => {
	let width = 0;
	return at => {
		const isToday = at === undefined || localDate(at) === localDate(now());
		const time = at === undefined ? '' : `${isToday ? '' : `${localDate(at)} `}${localTime(at)}`;
		width = Math.max(width, time.length, localTime(0).length);
		return {text: `${time.padStart(width)} `, style: 'dim'};
	};
};

/** Adds a note if there are no lines, so that a person is not left wondering. A pipe gets only the lines. */
async function* withEmptyNote(lines: AsyncIterable<OutputLine>, note: string): AsyncGenerator<OutputLine> {
	let isEmpty = true;
	for await (const line of lines) {
		isEmpty = false;
		yield line;
	}
	if (isEmpty) yield {json: {}, text: [{text: note, style: 'dim'}]};
}

import {join} from 'node:path';
import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {createRedactor} from '../../domain/redact.ts';
import {type FollowedRun, followRun} from '../../host/follow-run.ts';
import {adapterOf, readableLines} from '../../host/run-log.ts';
import {openLedger} from '../../ledger/ledger.ts';
import {runDirectory, runFile} from '../../runs/layout.ts';
import {createLogReader, linesOf, redactBytes} from '../../runs/read-log.ts';
import {command, type Line} from '../command.ts';
import {boolean, text} from '../flags.ts';

export const logs = command({
	path: 'logs',
	summary: 'Print what a run writes to standard output, from its start.',
	description:
		'What an agent writes as a stream of JSON is shown as what it said and the tools it called. Control sequences are taken out and known secrets redacted. --raw prints it as it was written, secrets redacted: control sequences can change a terminal, so it goes into a file or a pipe, or needs --yes.',
	flags: {
		follow: boolean({summary: 'Go on as it grows, until the run ends.', short: 'f'}),
		stderr: boolean({summary: 'Its standard error instead.'}),
		raw: boolean({summary: 'As it was written, control sequences and JSON too.'}),
		yes: boolean({summary: 'Allow --raw on a terminal.', short: 'y'}),
	},
	arguments: {agent: text({summary: 'Run to print.', hint: '<agentId>', required: true, complete: 'runs'})},
	examples: ['logs 1f0c9a7be2d34c55 --follow', 'logs 1f0c9a7be2d34c55 --stderr'],
	json: 'one line per line: {v, agentId, stream, line}',
	run: async ({agent, follow, stderr, raw, yes}, session) => {
		if (raw && session.json) return refuse('usage', {message: '--raw and --json exclude each other.'});
		if (raw && session.stdout.isTTY && !yes)
			return refuse('usage', {
				message: '--raw could change your terminal: the bytes are what an agent wrote.',
				hint: 'Send it to a file or a pipe, or add --yes.',
			});
		const context = await session.open();
		const found = await findRun(context, agent);
		if (!found.ok) return found;
		const file = stderr ? runFile.stderr : runFile.stdout;
		const directory = runDirectory(context.colony.root, found.value.traceId, agent);
		const path = join(directory, file);
		const reader = createLogReader(context.files, path);
		const chunks = follow ? followRun(context, found.value, reader, session.signal) : reader.added();
		const secrets = await session.secrets();
		if (raw) return accepted({bytes: redactBytes(chunks, createRedactor(secrets.map(asLatin1)))});
		const stream = stderr ? 'stderr' : 'stdout';
		const written = stderr
			? linesOf(chunks)
			: readableLines(chunks, () => adapterOf(context.files, directory));
		const lines = logLines(written, createRedactor(secrets), {agentId: agent, stream});
		const isRead = session.stdout.isTTY && !session.json;
		return accepted({lines: isRead ? orNote(lines, `The run has written nothing to ${stream}.`) : lines});
	},
});

/** As the bytes of the log are read for `--raw`. */
const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

/** The run, wherever it belongs to; its files are only in its own checkout. */
const findRun = async ({bus, place}: ActionContext, agentId: string): Promise<Outcome<FollowedRun>> => {
	const ledger = await openLedger(bus);
	for (const {traceId, runs, sequence} of ledger.traces().values()) {
		const run = runs.get(agentId);
		if (run === undefined) continue;
		if (run.place === place) return accepted({traceId, run, sequence});
		return refuse('elsewhere', {message: `The run ${agentId} was started by the checkout ${run.place}.`});
	}
	return refuse('run_not_found', {message: `There is no run "${agentId}" in this colony.`});
};

async function* logLines(
	lines: AsyncIterable<string>,
	redact: (text: string) => string,
	of: {readonly agentId: string; readonly stream: 'stdout' | 'stderr'},
): AsyncGenerator<Line> {
	for await (const written of lines) {
		const line = redact(written);
		yield {json: {...of, line}, text: line};
	}
}

/** An empty answer would leave a person wondering; a pipe gets what is there. */
async function* orNote(lines: AsyncIterable<Line>, note: string): AsyncGenerator<Line> {
	let isEmpty = true;
	for await (const line of lines) {
		isEmpty = false;
		yield line;
	}
	if (isEmpty) yield {json: {}, text: [{text: note, style: 'dim'}]};
}

import {join} from 'node:path';
import type {ActionContext} from '../../actions/context.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {proposedIn} from '../../domain/proposal-kind.ts';
import {type Redactor, redactFields, redactionMargin} from '../../domain/redact.ts';
import type {RunRecord} from '../../domain/run.ts';
import {emptyTrace} from '../../domain/trace.ts';
import {applyEvents} from '../../ledger/reduce.ts';
import {runDirectory, runFile} from '../../runs/layout.ts';
import {readTail} from '../../runs/read-log.ts';
import {readUsage} from '../../runs/usage.ts';
import type {Excerpt, ExportedProposal, ExportedRun, ExportedTrace} from './exported-trace.ts';

type Sources = Pick<ActionContext, 'bus' | 'files' | 'colony'> & {
	/** Removes known secrets from a text. */
	readonly redact: Redactor;
};

/** Maximum characters of one log or prompt, and of one diff, in a page. */
const maxLogLength = 64 * 1024;
const maxDiffLength = 256 * 1024;

/**
 * Gathers everything to export of a trace, from the log and this checkout's run files. Undefined if there is
 * no such trace.
 */
export const gatherExport = async (sources: Sources, traceId: string): Promise<ExportedTrace | undefined> => {
	const {bus, colony, redact} = sources;
	const events: StoredEvent[] = [];
	for await (const batch of bus.read({traceId, after: 0}))
		events.push(...batch.map(event => redactEvent(event, redact)));
	if (events.length === 0) return undefined;
	const {trace} = applyEvents(emptyTrace(traceId), events);
	return {
		slug: colony.slug,
		trace,
		defaultBudget: colony.defaults.budget,
		defaultBee: colony.defaults.defaultBee,
		events,
		runs: await Promise.all([...trace.runs.values()].map(run => readRun(sources, traceId, run))),
		proposals: await Promise.all(
			events.filter(isProposal).map(event => readProposal(sources, event, trace.runs)),
		),
	};
};

const redactEvent = (event: StoredEvent, redact: Redactor): StoredEvent => ({
	...event,
	payload: {...redactFields(redact, event.payload), kind: event.payload.kind},
});

const readRun = async (
	{files, colony, redact}: Sources,
	traceId: string,
	run: RunRecord,
): Promise<ExportedRun> => {
	const folder = runDirectory(colony.root, traceId, run.agentId);
	const end = async (name: string): Promise<Excerpt> => {
		const path = join(folder, name);
		const size = (await files.size(path)) ?? 0;
		const text = redact(await readTail(files, path, maxLogLength + redactionMargin));
		return {text: text.slice(-maxLogLength), left: Math.max(0, size - maxLogLength)};
	};
	const [prompt, stdout, stderr, usage] = await Promise.all([
		end(runFile.prompt),
		end(runFile.stdout),
		end(runFile.stderr),
		readUsage(files, colony.root, traceId, run.agentId),
	]);
	return {run, prompt, stdout, stderr, ...(usage === undefined ? {} : {usage})};
};

const isProposal = ({type, payload}: StoredEvent): boolean =>
	type === 'MUTATION' && proposedIn(payload.kind) !== undefined;

const readProposal = async (
	{bus, redact}: Sources,
	{sequence, agentId = '', payload}: StoredEvent,
	runs: ReadonlyMap<string, RunRecord>,
): Promise<ExportedProposal> => {
	const text = (field: string): string => {
		const value = payload[field];
		return typeof value === 'string' ? value : '';
	};
	const whole = text('diff') || redact((text('ref') && (await bus.blobs.get(text('ref')))) || '');
	return {
		sequence,
		taskId: text('taskId') || (runs.get(agentId)?.taskId ?? ''),
		workspace: proposedIn(payload.kind) ?? 'isolated',
		summary: text('summary').split('\n')[0] ?? '',
		patch: {text: whole.slice(0, maxDiffLength), left: Math.max(0, whole.length - maxDiffLength)},
	};
};

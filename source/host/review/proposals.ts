import {strategyOf} from '../../actions/approval.ts';
import type {ActionContext} from '../../actions/context.ts';
import {refuseElsewhere} from '../../actions/decide-and-append.ts';
import {holdRecordedBase} from '../../actions/hold-base.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {countHidden} from '../../domain/escape-hidden.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {findTask, traceNotFound} from '../../domain/not-found.ts';
import type {Hidden, Overlooked} from '../../domain/overlooked.ts';
import {isShown, type Trace} from '../../domain/trace.ts';
import {loadTrace} from '../../ledger/ledger.ts';
import {untakenTrees} from '../../ledger/untaken-trees.ts';
import {readPatch} from '../../review/patch.ts';
import {type Preview, previewMerge} from '../../workspaces/merge/preview.ts';
import {askElsewhere} from '../machines/machine-questions.ts';

/** Additional facts that a person should know before approving. */
type Found = Required<Overlooked> & {
	readonly planted: readonly string[];
	/** Id of the final gate that waits for a person; empty if none does. */
	readonly gate: string;
};

/** Previews what approving the trace's gate would merge (docs/architecture.md §5). */
export const previewTrace = async (
	context: ActionContext,
	traceId: string,
): Promise<Outcome<Preview & Found>> => {
	const trace = await loadTrace(context.bus, traceId);
	if (!isShown(trace)) return traceNotFound(traceId);
	const elsewhere = refuseElsewhere(trace, context.checkout);
	if (elsewhere !== undefined) return askElsewhere(context, elsewhere, {ask: 'preview', traceId});
	const start = await holdRecordedBase(context, traceId);
	const preview = await previewMerge(context.git, {
		root: context.colony.root,
		traceId,
		largeBytes: context.colony.defaults.largeChange,
		onRecord: {runs: untakenTrees(trace), start: start?.commit},
	});
	if (!preview.ok) return preview;
	const {redact = (text: string) => text} = context;
	const {patch, stat, commits, large} = preview.value;
	const planted = (await context.injectedGitConfig?.()) ?? [];
	const hidden = hiddenIn(
		patch,
		preview.value.files.map(({path}) => path),
	);
	return accepted({
		...preview.value,
		patch: redact(patch),
		stat: redact(stat),
		...(large && {large: large.map(file => ({...file, beginning: redact(file.beginning)}))}),
		commits: commits.map(({sha, author, subject}) => ({
			sha,
			author: redact(author),
			subject: redact(subject),
		})),
		planted,
		hidden,
		strategy: strategyOf(context, {}),
		gate: gateOf(trace),
	});
};

const gateOf = ({tasks}: Trace): string =>
	[...tasks.values()].find(({review, status}) => review === 'final' && status === 'waiting_review')?.taskId ??
	'';

/** A file whose change is too large to show at once. */
export type LargeFile = NonNullable<Preview['large']>[number];

export type ProposalView = {
	readonly taskId: string;
	readonly workspace: 'isolated' | 'root';
	readonly summary: string;
	readonly stat: string;
	readonly patch: string;
	/** Invisible characters, and characters that control a terminal, by file. */
	readonly hidden: readonly Hidden[];
};

/** Returns the newest proposal of one task, as its run made it. */
export const readProposal = async (
	{bus}: ActionContext,
	traceId: string,
	taskId: string,
): Promise<Outcome<ProposalView>> => {
	const trace = await loadTrace(bus, traceId);
	if (!isShown(trace)) return traceNotFound(traceId);
	const found = findTask(trace, taskId);
	if (!found.ok) return found;
	const {proposal} = found.value;
	if (proposal === undefined) {
		return refuse('nothing_to_merge', {
			message: `The task ${taskId} has no proposal.`,
			hint: 'See "hive task show".',
		});
	}
	let event: StoredEvent | undefined;
	for await (const batch of bus.read({traceId, after: proposal.sequence - 1})) event ??= batch[0];
	const text = (field: string): string =>
		typeof event?.payload[field] === 'string' ? String(event.payload[field]) : '';
	const patch = text('diff') || (text('ref') && (await bus.blobs.get(text('ref')))) || '';
	return accepted({
		taskId,
		workspace: proposal.workspace,
		summary: proposal.summary,
		stat: text('stat'),
		patch,
		hidden: hiddenIn(patch, []),
	});
};

/**
 * Finds hidden characters of a change, in its paths and in the lines that it adds.
 *
 * @param paths of all files, including those that a long patch left out
 */
const hiddenIn = (patch: string, paths: readonly string[]): readonly Hidden[] => {
	const read = readPatch(patch).map(({path, hidden}) => ({path, hidden}));
	const known = new Set(read.map(({path}) => path));
	const others = paths.filter(path => !known.has(path)).map(path => ({path, hidden: countHidden(path)}));
	return [...read, ...others].flatMap(({path, hidden}) => hidden.map(count => ({path, ...count})));
};

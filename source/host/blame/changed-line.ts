import type {ActionContext} from '../../actions/context.ts';
import {refuseElsewhere} from '../../actions/decide-and-append.ts';
import {accepted, type Outcome} from '../../domain/errors.ts';
import {traceNotFound} from '../../domain/not-found.ts';
import {isShown, type Trace} from '../../domain/trace.ts';
import {loadTrace} from '../../ledger/ledger.ts';
import {blameLines} from '../../workspaces/blame/git-blame.ts';
import type {WorkingRun} from '../../workspaces/blame/run-chain.ts';
import {findWriters} from '../../workspaces/blame/writers.ts';
import {resolve, scratchCommit} from '../../workspaces/trees/objects.ts';
import {refsOf} from '../../workspaces/trees/refs.ts';
import {askElsewhere} from '../machines/machine-questions.ts';
import {refuseUnlessKept} from '../review/compare.ts';
import type {LineOrigin} from '../views/line-origin.ts';
import {type BlameContext, explainBlamed, readCost} from './blame.ts';
import {originUnderReview, unknownLine} from './line-origin.ts';
import type {LineQuestion} from './line-question.ts';
import {parentsOfRebases} from './parents-of-rebases.ts';

type Subject = {readonly traceId: string; readonly taskId?: string | undefined};

/**
 * Tells where a line of a change under review comes from. A line that the base has belongs to the history of
 * the base, any other to the run of the trace that wrote it.
 *
 * @param subject without a task the change is that of the trace's worktree
 */
export const explainChangedLine = async (
	context: ActionContext,
	subject: Subject,
	question: LineQuestion,
): Promise<Outcome<LineOrigin>> => {
	const trace = await loadTrace(context.bus, subject.traceId);
	if (!isShown(trace)) return traceNotFound(subject.traceId);
	const elsewhere = refuseElsewhere(trace, context.checkout);
	if (elsewhere !== undefined)
		return askElsewhere(context, elsewhere, {ask: 'line', ...subject, ...question});
	const {side, fork, work, before, path, line} = question;
	const at = side === 'new' ? work : (before ?? fork);
	if (at === '') return accepted(unknownLine('hive has no record of the files before this proposal.'));
	const {root} = context.colony;
	const gone = await refuseUnlessKept(context.git, root, fork === '' ? [at] : [at, fork]);
	if (gone !== undefined) return gone;
	// The old side begins at the fork, so the new side of such a diff has lines that the base lacks.
	const isAdded = side === 'new' && before === undefined;
	if (fork !== '' && !isAdded) {
		const ofBase = await originInBase(context, {fork, at, path, line});
		if (!ofBase.ok || ofBase.value !== undefined) return ofBase as Outcome<LineOrigin>;
	}
	const runs = await runsUpTo(context, trace, subject, at);
	const lines = [line];
	const found = await findWriters(context.git, root, [
		{commit: at, parent: fork, tree: at, path, lines, runs},
	]);
	if (!found.ok) return found;
	const writer = found.value[0]?.get(line) ?? ({by: 'no run'} as const);
	return accepted(originUnderReview(trace, writer, await readCost(context, trace, writer)));
};

type Position = {
	readonly fork: string;
	readonly at: string;
	readonly path: string;
	readonly line: number;
};

/** Returns the origin of a line that the base has; undefined if the base lacks it. */
const originInBase = async (
	context: BlameContext,
	{fork, at, path, line}: Position,
): Promise<Outcome<LineOrigin | undefined>> => {
	const {git, colony} = context;
	const {root} = colony;
	const commit =
		at === fork ? fork : await scratchCommit(git, root, {tree: at, parents: [fork], message: 'Work\n'});
	const parents = await parentsOfRebases(context);
	const ranges = [{from: line, to: line}];
	const blamed = await blameLines(git, {path, ranges, commit, parents}, {cwd: root});
	if (!blamed.ok) return blamed;
	if (at !== fork && blamed.value[0]?.commit === commit) return accepted(undefined);
	const explained = await explainBlamed(context, blamed.value, parents);
	if (!explained.ok) return explained;
	const [found] = explained.value;
	if (found === undefined) return accepted(undefined);
	const {line: _, text: __, ...origin} = found;
	return accepted(origin);
};

/** The runs of a workspace up to the one that left these files. An open run counts as their writer. */
const runsUpTo = async (
	{git, colony: {root}}: BlameContext,
	{traceId, runs, tasks}: Trace,
	{taskId}: Subject,
	at: string,
): Promise<readonly WorkingRun[]> => {
	const workspace = tasks.get(taskId ?? '')?.proposal?.workspace ?? 'isolated';
	const isOfRoot = workspace === 'root' && tasks.get(taskId ?? '')?.review !== 'final';
	const all = [...runs.values()].filter(
		run => run.verifies === undefined && (run.workspace === 'root') === isOfRoot,
	);
	const last = all.findLastIndex(({trees}) => trees?.after === at && trees.before !== at);
	return Promise.all(
		all.slice(0, last < 0 ? undefined : last + 1).map(async ({agentId, startedAt, finishedAt, trees}) => {
			if (finishedAt !== undefined) return {agentId, startedAt, finishedAt, trees};
			const before = await resolve(git, root, `${refsOf(traceId).run(`${agentId}-before`)}^{tree}`);
			const known = before === undefined ? undefined : {before, after: at};
			return {agentId, startedAt, finishedAt: startedAt, trees: known};
		}),
	);
};

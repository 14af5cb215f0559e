import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome} from '../../domain/errors.ts';
import {tokensOf} from '../../domain/run.ts';
import type {Trace} from '../../domain/trace.ts';
import {readUsage} from '../../runs/usage.ts';
import {type BlamedLine, type BlameRequest, blameLines} from '../../workspaces/blame/git-blame.ts';
import type {Writer} from '../../workspaces/blame/run-chain.ts';
import type {ExplainedLine, LineOrigin} from '../views/line-origin.ts';
import {type CommitOrigins, createOrigins} from './commit-origins.ts';
import {originInTrace, originOfCommit, type RunCost, uncommittedLine} from './line-origin.ts';
import {followMerges, writersOf} from './line-writers.ts';
import {type ParentsOfRebases, parentsOfRebases} from './parents-of-rebases.ts';

export type BlameContext = Pick<ActionContext, 'git' | 'bus' | 'colony' | 'files' | 'redact'>;

/**
 * Tells for lines of a file which commit, trace and run brought them.
 *
 * @param cwd the folder from which the path is meant; by default the root
 */
export const explainLines = async (
	context: BlameContext,
	{cwd = context.colony.root, ...request}: BlameRequest & {readonly cwd?: string | undefined},
): Promise<Outcome<readonly ExplainedLine[]>> => {
	const parents = await parentsOfRebases(context);
	const blamed = await blameLines(context.git, {...request, parents}, {cwd});
	return blamed.ok ? explainBlamed(context, blamed.value, parents) : blamed;
};

/**
 * Tells which commit, trace and run brought lines whose commits are known.
 *
 * @param parents with which the lines were found
 */
export const explainBlamed = async (
	context: BlameContext,
	blamed: readonly BlamedLine[],
	parents: ParentsOfRebases,
): Promise<Outcome<readonly ExplainedLine[]>> => {
	const {redact = (text: string) => text} = context;
	const origins = createOrigins(context, parents);
	const followed = await followMerges(context, blamed, origins);
	if (!followed.ok) return followed;
	const writers = await writersOf(context, followed.value, origins);
	if (!writers.ok) return writers;
	const describe = createDescriber(context, origins);
	const lines: ExplainedLine[] = [];
	for (const [index, blamedLine] of followed.value.entries()) {
		const origin = await describe(blamedLine, writers.value[index]);
		lines.push({line: blamedLine.line, text: redact(blamedLine.text), ...origin});
	}
	return accepted(lines);
};

/** Many lines have the same origin, which is described once. */
const createDescriber = (context: BlameContext, origins: CommitOrigins) => {
	const known = new Map<string, LineOrigin>();
	return async ({commit}: BlamedLine, writer: Writer = {by: 'no run'}): Promise<LineOrigin> => {
		const key = `${commit} ${JSON.stringify(writer)}`;
		const found = known.get(key) ?? (await describeOrigin(context, origins, commit, writer));
		known.set(key, found);
		return found;
	};
};

const describeOrigin = async (
	context: BlameContext,
	origins: CommitOrigins,
	commit: string,
	writer: Writer,
): Promise<LineOrigin> => {
	const known = origins.get(commit);
	if (known === undefined) return uncommittedLine;
	const {facts, origin} = known;
	if (origin.made === undefined) return originOfCommit(facts, origin);
	const cost = await readCost(context, origin.made.trace, writer);
	return originInTrace(facts, origin.made, writer, cost);
};

const noCost: RunCost = {costUsd: null, tokens: null};

/** The cost of the run that wrote a line. */
export const readCost = async (
	{files, colony: {root}}: Pick<BlameContext, 'files' | 'colony'>,
	{traceId}: Pick<Trace, 'traceId'>,
	writer: Writer,
): Promise<RunCost> => {
	if (writer.by !== 'run') return noCost;
	const usage = await readUsage(files, root, traceId, writer.agentId);
	if (usage === undefined) return noCost;
	return {costUsd: usage.costUsd ?? null, tokens: tokensOf(usage) || null};
};

import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {NewEvent} from '../domain/event.ts';
import {hasBegun, type Trace} from '../domain/trace.ts';
import {type TraceBase, traceBaseIn} from '../domain/trace-base.ts';
import type {IdentifiedEvent} from '../ports/bus.ts';
import {resolve} from '../workspaces/trees/objects.ts';
import type {ActionContext} from './context.ts';
import {refuseElsewhere} from './decide-and-append.ts';

/**
 * Finds the branch that a person named as the base of a new trace. Undefined if they named none. Refuses
 * `usage` for what can be no base, and `branch_not_found`. Changes nothing.
 */
export const findBase = async (
	context: Pick<ActionContext, 'git' | 'colony'>,
	name: string | undefined,
): Promise<Outcome<TraceBase | undefined>> =>
	name === undefined ? accepted(undefined) : find(context, name);

const find = async (
	{git, colony: {root}}: Pick<ActionContext, 'git' | 'colony'>,
	name: string,
): Promise<Outcome<TraceBase>> => {
	const ref = `refs/heads/${name}`;
	const isName = traceBaseIn({branch: name, commit: '0'.repeat(40)}) !== undefined && name !== '';
	if (!isName || (await git.attempt(['check-ref-format', ref], {cwd: root})).exitCode !== 0)
		return refuse('usage', {
			message: `"${name}" cannot be the name of a branch; nothing was started.`,
			hint: listBranches,
		});
	if (name === 'HEAD' || name === '@') return noBranch('"HEAD" is no branch', 'HEAD');
	if (name === 'hive' || name.startsWith('hive/'))
		return refuse('usage', {
			message: `The branch "${name}" is hive's own, so no trace can be based on it; nothing was started.`,
			hint: 'Name the branch that it lands on, or wait until it has landed.',
		});
	const commit = await resolve(git, root, ref);
	if (commit === undefined) return whyNot(await namesakes({git, root}, name), name);
	const {exitCode, stdout} = await git.attempt(['symbolic-ref', '--quiet', ref], {cwd: root});
	if (exitCode !== 0) return accepted({branch: name, commit});
	const target = stdout.trim().replace(/^refs\/heads\//, '');
	return refuse('usage', {
		message: `"${name}" is only another name of the branch "${target}"; nothing was started.`,
		hint: `Name "${target}" as the base.`,
	});
};

type Namesakes = {
	readonly isTag: boolean;
	readonly remote: string | undefined;
	readonly isCommit: boolean;
};

/** What else has the name that no branch has. */
const namesakes = async (
	{git, root}: {readonly git: ActionContext['git']; readonly root: string},
	name: string,
): Promise<Namesakes> => {
	const listed = await git.run(['for-each-ref', '--format=%(refname)', 'refs/remotes'], {cwd: root});
	const remotes = listed.split('\n').map(ref => ref.replace(/^refs\/remotes\//, ''));
	return {
		isTag: (await resolve(git, root, `refs/tags/${name}`)) !== undefined,
		remote: remotes.find(remote => remote === name || remote.replace(/^[^/]+\//, '') === name),
		isCommit: (await resolve(git, root, `${name}^{commit}`)) !== undefined,
	};
};

const whyNot = ({isTag, remote, isCommit}: Namesakes, name: string) => {
	if (isTag) return noBranch(`"${name}" is a tag`, name);
	if (remote !== undefined) {
		const local = remote.replace(/^[^/]+\//, '');
		return refuse('branch_not_found', {
			message: `This clone has no branch "${name}", only "${remote}" of a remote; nothing was started.`,
			hint: `Make the branch with "git branch --track ${local} ${remote}", then name "${local}".`,
		});
	}
	if (isCommit) return noBranch(`"${name}" is a commit`, name);
	return refuse('branch_not_found', {
		message: `There is no branch "${name}" in this clone; nothing was started.`,
		hint: listBranches,
	});
};

/** There is nothing that a merge could move. */
const noBranch = (what: string, start: string) =>
	refuse('usage', {
		message: `${what}, so nothing can be merged into it; nothing was started.`,
		hint: `Make a branch there with "git branch <name> ${start}", then name that one.`,
	});

const listBranches = 'List the branches with "git branch --list".';

/**
 * Returns the event that names the base of a new trace, to be appended before what begins it; none without a
 * base. Refused for a trace that has begun.
 */
export const baseEvents = (
	{by, checkout, ids}: Pick<ActionContext, 'by' | 'checkout' | 'ids'>,
	trace: Trace,
	base: TraceBase | undefined,
): Outcome<readonly IdentifiedEvent[]> => {
	if (base === undefined) return accepted([]);
	const {traceId} = trace;
	const elsewhere = refuseElsewhere(trace, checkout);
	if (elsewhere !== undefined) return elsewhere;
	const isNamed = trace.base?.branch === base.branch;
	if (hasBegun(trace) || (trace.base !== undefined && !isNamed))
		return refuse('usage', {
			message: `The trace ${traceId} has begun: its base is named when it starts.`,
			hint: 'Start a new trace to name another base.',
		});
	if (isNamed) return accepted([]);
	const payload = {kind: 'trace.based', ...base, place: checkout};
	return accepted([{id: ids.event(), event: {traceId, agentId: by, type: 'SIGNAL', payload}}]);
};

/** Appends what begins a trace, behind the event that names its base. Returns the sequence of the last. */
export const appendFirst = async (
	context: Pick<ActionContext, 'by' | 'bus' | 'checkout' | 'ids'>,
	trace: Trace,
	base: TraceBase | undefined,
	events: readonly NewEvent[],
): Promise<Outcome<number>> => {
	const based = baseEvents(context, trace, base);
	if (!based.ok) return based;
	const [only, ...others] = [...based.value, ...events.map(event => ({id: context.ids.event(), event}))];
	if (only === undefined) return accepted(trace.sequence);
	const appended =
		others.length === 0
			? await context.bus.append(only.event, {id: only.id})
			: await context.bus.appendAll([only, ...others], trace.sequence);
	return appended.ok ? accepted(appended.sequence) : refuse('conflict');
};

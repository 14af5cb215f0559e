import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {isObjectId} from '../domain/ids.ts';
import {refuseForCheckout} from '../domain/machine-status.ts';
import type {RunRecord} from '../domain/run.ts';
import {lastThatChanged, type Trace} from '../domain/trace.ts';
import {claimReplica, type Replica, readHistory, readPack, readReplica} from '../ledger/replicas.ts';
import {writeBesideCleanUp} from '../workspaces/trees/beside-clean-up.ts';
import {hasCommit, treeOf} from '../workspaces/trees/objects.ts';
import {hasCommits, unpackCommits} from '../workspaces/trees/packs.ts';
import {refsOf} from '../workspaces/trees/refs.ts';
import {type ReplacedRefs, replaceTraceRefs} from '../workspaces/worktree/replace-trace-refs.ts';
import type {ActionContext} from './context.ts';

/**
 * Brings the work of another machine's trace into this checkout, as it was published when its last run ended.
 * Refused if that is not what the log says that the runs left.
 */
export const takeWork = async (
	{bus, git, checkout, colony, failpoint}: ActionContext,
	trace: Trace,
): Promise<Outcome<ReplacedRefs>> => {
	const {traceId, place = ''} = trace;
	const {root} = colony;
	const replica = await readReplica(bus, traceId);
	const last = lastThatChanged(trace);
	if (replica === undefined)
		return last === undefined ? accepted({kept: [], base: undefined}) : refuseUnpublished(place, last);
	let isAgain = false;
	const take = async (): Promise<Outcome<ReplacedRefs>> => {
		const fetched = await fetchWork({bus, git}, root, replica, isAgain);
		isAgain = true;
		if (!fetched.ok) return fetched;
		failpoint('take.fetched');
		if (last !== undefined && !(await replicaHolds(git, root, traceId, replica, last)))
			return refuseUnpublished(place, last);
		const disposable = colony.workspaces?.disposable ?? [];
		return replaceTraceRefs(git, {root, traceId, disposable}, replica);
	};
	const named = async () => {
		const work = await take();
		return {value: work, ids: work.ok ? Object.values(replica.refs) : []};
	};
	const work = await writeBesideCleanUp(git, root, named, {makesPacks: true});
	if (work.ok) await claimReplica(bus, traceId, checkout);
	return work;
};

/**
 * Adds the objects of a replica to the repository completely: every commit with everything that it needs. No
 * ref moves. Refused if the repository lacks what the work depends on.
 *
 * @param isAgain true if objects may be missing that refs name already
 */
const fetchWork = async (
	{bus, git}: Pick<ActionContext, 'bus' | 'git'>,
	root: string,
	{history, base, refs, pack, needs}: Replica,
	isAgain: boolean,
): Promise<Outcome<void>> => {
	const commits = Object.values(refs);
	if (!isAgain && (await hasCommits(git, root, commits))) return accepted(undefined);
	for (const hash of [...((await readHistory(bus, history))?.packs ?? []), pack]) {
		const text = await readPack(bus, hash);
		if (text !== undefined) await unpackCommits(git, root, text);
	}
	if (await hasCommits(git, root, commits)) return accepted(undefined);
	const missing: string[] = [];
	for (const commit of [...needs, base.commit].filter(isObjectId))
		if (!(await hasCommit(git, root, commit))) missing.push(commit);
	const [first = ''] = missing;
	return refuse('elsewhere', {
		message:
			first === ''
				? 'The copy of the work for other machines is damaged or missing.'
				: `This clone lacks the commit ${first}, which the work is based on; ${base.name || 'HEAD'} was at ${base.commit.slice(0, 7)} there.`,
		hint:
			first === ''
				? 'Run "hive" in the checkout that the trace belongs to.'
				: `Fetch it with git, so that "git cat-file -e ${first}" finds it, then take the trace again.`,
	});
};

const replicaHolds = async (
	git: ActionContext['git'],
	root: string,
	traceId: string,
	{refs}: Replica,
	{agentId, trees}: RunRecord,
): Promise<boolean> => {
	const commit = refs[refsOf(traceId).keep(agentId)];
	return commit !== undefined && (await treeOf(git, root, commit)) === trees?.after;
};

const refuseUnpublished = (place: string, {agentId, bee}: RunRecord) =>
	refuseForCheckout(place, {
		message: `The files of the run ${agentId} of ${bee} are only in the checkout ${place}.`,
		hint: 'Run "hive" in that checkout: other machines have no copy of the files.',
	});

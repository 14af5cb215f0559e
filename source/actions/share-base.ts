import {accepted, type Outcome} from '../domain/errors.ts';
import {currentBase, readBase} from '../workspaces/merge/base.ts';
import {followUpstream} from '../workspaces/merge/follow-upstream.ts';
import {type AcceptedTransfers, fetchUpstream} from '../workspaces/merge/upstream.ts';
import {isAncestor, resolve} from '../workspaces/trees/objects.ts';
import {refsOf} from '../workspaces/trees/refs.ts';
import type {ActionContext} from './context.ts';
import {withMergeLock} from './merge-lock.ts';

type Ports = Pick<ActionContext, 'acceptedGit' | 'clock' | 'colony' | 'failpoint' | 'git' | 'mergeLock'>;

/** True if merges are pushed to the upstream of their base (docs/rules.md §9, `land.push`). */
export const isShared = ({land}: Pick<ActionContext['colony'], 'land'>): boolean => land?.push === 'required';

/** The accepted settings for pushing; undefined if merges stay in this clone. */
export const sharedSettings = async ({
	acceptedGit,
	colony,
}: Pick<ActionContext, 'acceptedGit' | 'colony'>): Promise<AcceptedTransfers | undefined> =>
	isShared(colony) ? ((await acceptedGit?.()) ?? new Set()) : undefined;

/** Timeout for the lock where another merge may be pushing. */
const lockTimeoutMs = 180_000;

/**
 * Brings a shared base up to its upstream before a new trace is begun on it. Does nothing if the trace has
 * work already, or if merges stay in this clone. Refuses what `fetchUpstream` and `followUpstream` refuse.
 */
export const startFromUpstream = async (ports: Ports, traceId: string): Promise<Outcome<void>> => {
	const {git, colony} = ports;
	if (!isShared(colony)) return accepted(undefined);
	if ((await resolve(git, colony.root, refsOf(traceId).head)) !== undefined) return accepted(undefined);
	return joinUpstream(ports, traceId);
};

/**
 * Brings the shared base of a trace up to its upstream. The merge lock is taken only to move it.
 */
export const joinUpstream = async (ports: Ports, traceId: string): Promise<Outcome<void>> => {
	const {colony, failpoint, git} = ports;
	const {root} = colony;
	const readNow = async () => (await readBase(git, root, traceId)) ?? (await currentBase(git, root));
	const base = await readNow();
	if (base === undefined || base.ref === '' || base.commit === '') return accepted(undefined);
	const upstream = await fetchUpstream(git, root, base, (await sharedSettings(ports)) ?? new Set());
	if (!upstream.ok) return upstream;
	// Commits of the base that its upstream lacks are refused at the merge.
	if (await isAncestor(git, root, upstream.value.commit, base.commit)) return accepted(undefined);
	return withMergeLock(
		ports,
		async () => {
			const now = (await readNow()) ?? base;
			const followed = await followUpstream(git, root, now, upstream.value, failpoint);
			return followed.ok ? accepted(undefined) : followed;
		},
		lockTimeoutMs,
	);
};

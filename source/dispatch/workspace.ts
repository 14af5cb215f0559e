import {realpath, stat} from 'node:fs/promises';
import {join, sep} from 'node:path';
import {type Bee, workspaceOf} from '../colony/colony.ts';
import {accepted, type Outcome, type Refused, refuse} from '../domain/errors.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {readRecordedBase} from '../ledger/recorded-base.ts';
import {currentBase, holdBase, readBase} from '../workspaces/merge/base.ts';
import {baseGone} from '../workspaces/merge/merge-refusals.ts';
import {detachedNote, sentenceOf} from '../workspaces/worktree/checkout-notes.ts';
import {fillSubmodules, formatEmpty} from '../workspaces/worktree/fill-submodules.ts';
import {ensureWorktree} from '../workspaces/worktree/worktree.ts';
import type {DispatchPorts} from './ports.ts';
import {setUpWorktree} from './set-up-worktree.ts';

/** The place where a run works: the checkout, and the folder in it that is the agent's working directory. */
export type RunWorkspace = {
	readonly checkout: string;
	readonly directory: string;
	readonly sectorPath: string;
	/** First of the ten ports that belong to the checkout. */
	readonly port?: number;
	/** Warnings for people. */
	readonly warnings: readonly string[];
};

/**
 * Ensures the trace's worktree, or uses the colony root, and claims its ports. The sector's folder must exist
 * inside it.
 */
export const ensureWorkspace = async (
	ports: DispatchPorts,
	trace: Trace,
	run: RunRecord,
	{bee, sector}: {bee: Bee; sector: string | undefined},
): Promise<Outcome<RunWorkspace>> => {
	const colony = ports.colony();
	const isIsolated = workspaceOf(bee, run) === 'isolated';
	const found = isIsolated
		? await readyWorktree(ports, trace, run, bee)
		: accepted(await readyRoot(ports, trace));
	if (!found.ok) return found;
	const {checkout} = found.value;
	if (sector === undefined || sector === '')
		return accepted({...found.value, directory: checkout, sectorPath: ''});
	const sectorPath = colony.sectors.get(sector);
	const directory = sectorPath === undefined ? undefined : await insideOf(checkout, sectorPath);
	if (sectorPath !== undefined && directory !== undefined)
		return accepted({...found.value, directory, sectorPath});
	return refuse('invalid_config', {
		message: `The folder of the sector "${sector}" does not exist in ${checkout}.`,
		hint: 'Make the folder, or fix "sectors" in .hive/colony.yaml.',
	});
};

type CheckoutWithPorts = Omit<RunWorkspace, 'directory' | 'sectorPath'>;

export const claimPorts = async (
	{portBlocks}: DispatchPorts,
	checkout: string,
): Promise<CheckoutWithPorts> => {
	const claimed = await portBlocks.claim(checkout);
	return 'problem' in claimed
		? {checkout, warnings: [`HIVE_PORT is not set: ${claimed.problem}`]}
		: {checkout, port: claimed.first, warnings: []};
};

/** A run in the root sees the branch that is checked out, whatever base its trace has. */
const readyRoot = async (ports: DispatchPorts, {base}: Trace): Promise<CheckoutWithPorts> => {
	const {root} = ports.colony();
	const own = await claimPorts(ports, root);
	if (base === undefined) return own;
	const {name = ''} = (await currentBase(ports.git, root)) ?? {};
	return name === base.branch
		? own
		: {
				...own,
				warnings: [
					...own.warnings,
					`It worked in the checkout, which has ${name || 'no branch'}, not the base ${base.branch} of its trace.`,
				],
			};
};

/** Ensures the trace's worktree and sets it up. */
const readyWorktree = async (
	ports: DispatchPorts,
	trace: Trace,
	run: RunRecord,
	bee: Bee,
): Promise<Outcome<CheckoutWithPorts>> => {
	const location = {root: ports.colony().root, traceId: trace.traceId};
	const recorded = await readRecordedBase(ports.bus, trace.traceId);
	if (recorded !== undefined) await holdBase(ports.git, location.root, location.traceId, recorded);
	const lacking = await refuseLackingBase(ports, trace);
	if (lacking !== undefined) return lacking;
	const started = await ports.startFromUpstream(trace.traceId);
	if (!started.ok) return started;
	const made = await ensureWorktree(ports, location);
	if (!made.ok) return made;
	const submodules = await fillSubmodules(ports.git, ports.colony().root, made.value.path);
	const own = await claimPorts(ports, made.value.path);
	const ready = await setUpWorktree(ports, trace, run, {
		bee,
		worktree: {...own, isNew: made.value.created},
	});
	if (!ready.ok) return ready;
	return accepted({
		...own,
		warnings: [
			...own.warnings,
			...(made.value.base === '' ? [sentenceOf(detachedNote(ports.colony().root))] : []),
			...submodules.empty.map(formatEmpty),
		],
	});
};

/** Refuses a trace whose named base this clone lacks: its work would begin on another branch. */
const refuseLackingBase = async (
	{git, colony}: DispatchPorts,
	{traceId, base}: Trace,
): Promise<Refused | undefined> => {
	if (base === undefined) return undefined;
	const found = await readBase(git, colony().root, traceId);
	return found === undefined || found.commit !== '' ? undefined : baseGone(found, base.commit);
};

/** The folder with its links resolved, if it exists and is inside the checkout (docs/reliability.md I14). */
const insideOf = async (checkout: string, path: string): Promise<string | undefined> => {
	try {
		const [outer, inner] = await Promise.all([realpath(checkout), realpath(join(checkout, path))]);
		const isInside = inner === outer || inner.startsWith(outer + sep);
		return isInside && (await stat(inner)).isDirectory() ? inner : undefined;
	} catch {
		return undefined;
	}
};

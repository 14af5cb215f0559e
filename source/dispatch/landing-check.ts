import type {Colony, Verify} from '../colony/colony.ts';
import {defaults} from '../colony/defaults.ts';
import {landingVerifyOf, verifyOf} from '../colony/verification.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {type CheckedTree, readTreeEvidence, type TreeEvidence} from '../ledger/tree-evidence.ts';
import type {Bus} from '../ports/bus.ts';
import type {Clock} from '../ports/clock.ts';
import type {Git} from '../ports/git.ts';
import {fingerprintCheck} from '../workspaces/worktree/check-fingerprint.ts';

/** Roles of the bees whose work in the worktree a merge of the trace lands. */
const rolesOf = ({runs}: Trace): readonly string[] => [
	...new Set(
		[...runs.values()]
			.filter(({workspace, verifies}) => workspace !== 'root' && verifies === undefined)
			.map(({bee}) => bee),
	),
];

/** The check that the trace's merge has to pass before it lands; undefined if none is required. */
export const requiredCheck = (colony: Colony, trace: Trace): Verify | undefined =>
	landingVerifyOf(colony, rolesOf(trace));

/** The verification that a run of hive's own makes, by the present configuration. */
export const verificationOf = (colony: Colony, trace: Trace, run: RunRecord): Verify | undefined =>
	run.lands === undefined ? verifyOf(colony, run.verifies ?? '') : requiredCheck(colony, trace);

/** The fingerprint of the check in this checkout, as its configuration and copied files are now. */
export const fingerprintOf = (
	git: Git,
	{root, workspaces}: Pick<Colony, 'root' | 'workspaces'>,
	{commands}: Verify,
): Promise<string> =>
	fingerprintCheck(git, root, {
		commands,
		setup: workspaces?.setup ?? [],
		copy: workspaces?.copy ?? [],
		...(workspaces?.cache && {cache: workspaces.cache}),
	});

/** The evidence for the tree that may still be used; undefined if there is none, or if it is too old. */
export const usableEvidence = async (
	{
		bus,
		clock,
		colony,
		git,
	}: {
		readonly bus: Pick<Bus, 'bucket'>;
		readonly clock: Pick<Clock, 'now'>;
		readonly colony: Pick<Colony, 'root' | 'workspaces'>;
		readonly git: Git;
	},
	verify: Verify,
	tree: string,
): Promise<TreeEvidence | undefined> => {
	const check = await fingerprintOf(git, colony, verify);
	return readUsable({bus, clock}, verify, {tree, check});
};

/** The same for a fingerprint that is known. */
export const readUsable = async (
	{bus, clock}: {readonly bus: Pick<Bus, 'bucket'>; readonly clock: Pick<Clock, 'now'>},
	verify: Verify,
	checked: CheckedTree,
): Promise<TreeEvidence | undefined> => {
	const found = await readTreeEvidence(bus, checked);
	const oldest = clock.now() - (verify.reuse ?? defaults.verifyReuse);
	return found !== undefined && Date.parse(found.at) >= oldest ? found : undefined;
};

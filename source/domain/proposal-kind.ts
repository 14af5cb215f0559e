import type {Workspace} from './task.ts';

/**
 * The workspace of the change that an event of this kind proposes; `undefined` if it proposes none. The kind
 * without a suffix means isolated.
 */
export const proposedIn = (kind: string): Workspace | undefined => workspaces.get(kind);

const workspaces: ReadonlyMap<string, Workspace> = new Map([
	['code.proposal', 'isolated'],
	['code.proposal.isolated', 'isolated'],
	['code.proposal.root', 'root'],
]);

/** The kind of a proposal in that workspace. */
export const proposalKind = (workspace: Workspace): string => `code.proposal.${workspace}`;

/** True for the kinds by which a guard gives its verdict. */
export const isVerdict = (kind: string): boolean => verdicts.includes(kind);

const verdicts: readonly string[] = ['verification.success', 'verification.failed'];

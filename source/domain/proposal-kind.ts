import type {Workspace} from './task.ts';

/**
 * Where the change is that an event of this kind proposes; nothing when it proposes none. The bare kind is
 * the isolated one.
 */
export const proposedIn = (kind: string): Workspace | undefined => workspaces.get(kind);

const workspaces: ReadonlyMap<string, Workspace> = new Map([
	['code.proposal', 'isolated'],
	['code.proposal.isolated', 'isolated'],
	['code.proposal.root', 'root'],
]);

/** The kind of a proposal of that workspace. */
export const proposalKind = (workspace: Workspace): string => `code.proposal.${workspace}`;

/** A guard's word. */
export const isVerdict = (kind: string): boolean => verdicts.includes(kind);

const verdicts: readonly string[] = ['verification.success', 'verification.failed'];

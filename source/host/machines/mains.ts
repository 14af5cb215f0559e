import type {ActionContext} from '../../actions/context.ts';
import type {DifferingMain} from '../../domain/differing-main.ts';
import type {KnownMachine} from '../../domain/machine-status.ts';
import type {Trace} from '../../domain/trace.ts';
import {readDifferingMains} from '../../workspaces/merge/differing-mains.ts';

/** Returns the branches that the other machines have at another commit than this clone. */
export const readMains = (
	{git, colony: {root}}: Pick<ActionContext, 'git' | 'colony'>,
	others: readonly KnownMachine[],
	traces: readonly Trace[],
): Promise<readonly DifferingMain[]> => readDifferingMains({git, root}, others, traces);

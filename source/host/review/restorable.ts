import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {isName} from '../../domain/ids.ts';
import type {RunRecord} from '../../domain/run.ts';
import {loadTrace} from '../../ledger/ledger.ts';
import {type KeptTree, listKept} from '../../workspaces/trees/kept-trees.ts';

/** A kept tree with what the log has of its run. */
export type Restorable = KeptTree & {
	readonly bee: string;
	readonly taskId: string;
	readonly status: string;
	/** UTC, RFC 3339; empty when no run in the log made it. */
	readonly finishedAt: string;
};

/** Lists every tree that can be restored (docs/architecture.md §5), by ref. */
export const listRestorable = async (
	{git, bus, colony}: ActionContext,
	traceId?: string,
): Promise<Outcome<readonly Restorable[]>> => {
	if (traceId !== undefined && !isName(traceId))
		return refuse('invalid_id', {message: `"${traceId}" is not a trace id.`});
	const kept = await listKept(git, colony.root, traceId);
	const runs = new Map<string, RunRecord>();
	for (const id of new Set(kept.map(tree => tree.traceId))) {
		for (const run of (await loadTrace(bus, id)).runs.values()) runs.set(`${id}/${run.agentId}`, run);
	}
	return accepted(
		kept.map(tree => {
			const run = runs.get(`${tree.traceId}/${tree.name}`);
			const {bee = '', taskId = '', status = '', finishedAt = ''} = run ?? {};
			return {...tree, bee, taskId, status, finishedAt};
		}),
	);
};

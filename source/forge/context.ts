import type {ActionContext} from '../actions/context.ts';
import type {ForgeSettings} from '../colony/forge.ts';
import type {Payload} from '../domain/event.ts';
import {runtimeAgent} from '../domain/event.ts';
import type {Forge} from '../ports/forge.ts';
import type {ForgeRemote} from '../workspaces/merge/publish-branch.ts';

/** What a watcher of requests works with. */
export type ForgeContext = {
	readonly context: ActionContext;
	readonly settings: ForgeSettings;
	readonly forge: Forge;
	readonly remote: ForgeRemote;
	/** Receives what went wrong, for the person who runs the watcher. */
	readonly report: (message: string) => void;
};

/** Appends an event of hive about a request. The key makes a repeated append the same event. */
export const appendAbout = async (
	{context: {bus}}: Pick<ForgeContext, 'context'>,
	traceId: string,
	key: string,
	payload: Payload,
): Promise<void> => {
	await bus.append(
		{traceId, agentId: runtimeAgent, type: 'SIGNAL', payload},
		{id: `${traceId}/pull-request/${key}`},
	);
};

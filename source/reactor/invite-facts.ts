import type {Colony} from '../colony/colony.ts';
import {refFolders} from '../dispatch/ref-folders.ts';
import {scalarIn} from '../domain/invite.ts';
import type {Trace} from '../domain/trace.ts';
import {reportedInvites} from '../ledger/invites.ts';
import type {Bus} from '../ports/bus.ts';
import type {Files} from '../ports/files.ts';
import {isFileIn} from '../runs/file-refs.ts';
import type {Machine, PendingInvite} from './machine.ts';

type InviteFacts = Pick<Machine, 'files' | 'recalled'>;

/** False for most traces: their decisions about invites need no facts from outside. */
export const needsInviteFacts = (trace: Trace, invites: readonly PendingInvite[]): boolean =>
	invites.length > 0 || (trace.invites.size > 0 && reportedInvites(trace).length > 0);

export const noInviteFacts: InviteFacts = {files: new Map(), recalled: new Map()};

/** The facts that decisions about invites need: files in the folders, and earlier events of the trace. */
export const readInviteFacts = async (
	{bus, files, colony}: {readonly bus: Bus; readonly files: Files; readonly colony: () => Colony},
	trace: Trace,
	invites: readonly PendingInvite[],
): Promise<InviteFacts> => {
	const {traceId} = trace;
	const refs = reportedInvites(trace).map(({report}) => report?.ref ?? '');
	const folders = refFolders(colony().root, traceId);
	const found = refs.map(async ref => [ref, ref !== '' && (await isFileIn(files, folders, ref))] as const);
	return {files: new Map(await Promise.all(found)), recalled: await recall(bus, traceId, invites)};
};

/**
 * By invite id: the field of the newest signal of that kind, up to the inviting event; empty if there is
 * none.
 */
const recall = async (
	bus: Bus,
	traceId: string,
	invites: readonly PendingInvite[],
): Promise<ReadonlyMap<string, string>> => {
	const asking = invites.filter(invite => invite.recall !== undefined);
	const texts = new Map(asking.map(({inviteId}) => [inviteId, '']));
	if (asking.length === 0) return texts;
	for await (const events of bus.read({traceId, after: 0}))
		for (const {type, payload, sequence} of events)
			for (const {inviteId, trigger, recall: wanted} of asking)
				if (type === 'SIGNAL' && payload.kind === wanted?.kind && sequence <= trigger)
					texts.set(inviteId, scalarIn(payload, wanted.field)?.trim() ?? '');
	return texts;
};

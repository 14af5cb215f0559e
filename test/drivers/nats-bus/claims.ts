import type {IdentifiedEvent} from '../../../source/ports/bus.ts';

/** Id of the colony in which processes contend for claims. */
export const colony = 'contenders';

/** A claim to contend for, and the sequence of the event that opened its trace. */
export type Opened = {readonly claim: number; readonly after: number};

/** The answer to a contender: the sequence of its claim if that was the first. */
export type Answer = {readonly claim: number; readonly won: number | undefined};

/** Returns the trace of a claim; each claim has its own. */
export const traceOf = (claim: number): string => `claim-${claim}`;

/** Returns the event that opens the trace of a claim. */
export const openingOf = (claim: number): IdentifiedEvent => ({
	id: `${traceOf(claim)}/open`,
	event: {traceId: traceOf(claim), type: 'SIGNAL', payload: {kind: 'claim.open'}},
});

/** Returns the claim event of a contender. Its id is the same at each attempt. */
export const claimOf = (claim: number, name: string): IdentifiedEvent => ({
	id: `${traceOf(claim)}/${name}`,
	event: {traceId: traceOf(claim), agentId: name, type: 'SIGNAL', payload: {kind: 'claim.made'}},
});

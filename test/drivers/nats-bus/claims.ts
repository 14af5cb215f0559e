import type {IdentifiedEvent} from '../../../source/ports/bus.ts';

/** The colony for whose claims processes contend. */
export const colony = 'contenders';

/** A claim that anybody may make, and the sequence of what opened its trace. */
export type Opened = {readonly claim: number; readonly after: number};

/** What a contender was answered: the sequence of its claim when it was the first. */
export type Answer = {readonly claim: number; readonly won: number | undefined};

/** Each claim is a trace. */
export const traceOf = (claim: number): string => `claim-${claim}`;

/** What opens it. */
export const openingOf = (claim: number): IdentifiedEvent => ({
	id: `${traceOf(claim)}/open`,
	event: {traceId: traceOf(claim), type: 'SIGNAL', payload: {kind: 'claim.open'}},
});

/** A contender's claim: the same id however often it is made. */
export const claimOf = (claim: number, name: string): IdentifiedEvent => ({
	id: `${traceOf(claim)}/${name}`,
	event: {traceId: traceOf(claim), agentId: name, type: 'SIGNAL', payload: {kind: 'claim.made'}},
});

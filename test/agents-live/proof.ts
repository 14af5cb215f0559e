import type {StandInModel} from './stand-in-model.ts';

/** What was tried, in words: what there is to know, and what is not as it must be. */
export type Proof = {readonly facts: string[]; readonly faults: string[]};

/** Whom a tool asked beside its model, and what the model did not understand. */
export const askedOf = ({refused, unknown}: StandInModel): Proof => ({
	facts: refused().map(host => `was kept from asking ${host}`),
	faults: unknown().map(asked => `the model was asked ${asked}`),
});

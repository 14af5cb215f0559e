import type {StandInModel} from './stand-in-model.ts';

/** The result of a proof: facts to report, and faults. */
export type Proof = {readonly facts: string[]; readonly faults: string[]};

/**
 * Returns the hosts that a tool contacted beside its model, and the requests that the model did not
 * understand.
 */
export const askedOf = ({refused, unknown}: StandInModel): Proof => ({
	facts: refused().map(host => `was kept from asking ${host}`),
	faults: unknown().map(asked => `the model was asked ${asked}`),
});

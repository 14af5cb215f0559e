import type {Invocation} from './invocation.ts';

/**
 * True for a valid conversation id of a tool. Ids come from an agent's output, so others are not passed on.
 */
export const isToolSession = (id: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id);

/** The conversation that the run resumes. Undefined if it starts a new one. */
export const resumed = ({resume}: Invocation): string | undefined =>
	resume !== undefined && isToolSession(resume) ? resume : undefined;

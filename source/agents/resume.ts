import type {Invocation} from './invocation.ts';

/** What tools call their conversations. It came from the output of an agent: nothing else is passed on. */
export const isToolSession = (id: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id);

/** The conversation that the run goes on with; nothing where it begins one. */
export const resumed = ({resume}: Invocation): string | undefined =>
	resume !== undefined && isToolSession(resume) ? resume : undefined;

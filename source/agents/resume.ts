import type {Invocation} from './invocation.ts';

/** What tools call their conversations. It came from the output of an agent: nothing else is passed on. */
const form = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The conversation that the run goes on with; nothing where it begins one. */
export const resumed = ({resume}: Invocation): string | undefined =>
	resume !== undefined && form.test(resume) ? resume : undefined;

import type {Writer} from '../../../source/colony/configuration/writers.ts';

/** Returns a writer that is named by its id alone. */
export const writer = (id: string): Writer => ({id, description: `${id} was open`});

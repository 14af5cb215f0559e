import {runAsWriter} from '../colony/configuration/writers.ts';
import {openRuns, type Trace} from '../domain/trace.ts';

/** The runs that may be writing in the root of this checkout, by the log. */
export const runsThatWrite = (traces: Iterable<Trace>, checkout: string): string[] =>
	[...traces]
		.flatMap(openRuns)
		.filter(({verifies}) => verifies === undefined)
		.filter(({place, workspace}) => place === checkout && workspace !== 'isolated')
		.map(({agentId}) => runAsWriter(agentId));

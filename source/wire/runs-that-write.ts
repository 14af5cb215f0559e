import {runAsWriter, type Writer} from '../colony/configuration/writers.ts';
import {openRuns, type Trace} from '../domain/trace.ts';

/** Returns the runs that, by the log, may be writing in this checkout. */
export const runsThatWrite = (traces: Iterable<Trace>, checkout: string): Writer[] =>
	[...traces].flatMap(trace =>
		openRuns(trace)
			.filter(({place}) => place === checkout)
			.map(run => runAsWriter(trace, run)),
	);

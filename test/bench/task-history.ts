import type {NewEvent} from '../../source/domain/event.ts';
import {untilIdle} from '../chaos/scratch-colony.ts';
import {type BusyColony, createBusyColony} from './busy-colony.ts';
import {median} from './median.ts';
import {peakMegabytes} from './process-figures.ts';
import type {Row} from './row.ts';

const rounds = 5;
const traces = 10_000;

/** Row 37 of docs/performance.md: a start with 10,000 finished traces against a start with none. */
export const benchTaskHistory = async (): Promise<Row[]> => {
	const [empty, full] = [await createBusyColony({}), await createBusyColony({})];
	try {
		await repeatTrace(full, traces);
		// The first start also writes the compiled code and the checkpoints.
		for (const colony of [empty, full]) await start(colony);
		const times: {empty: Start; full: Start}[] = [];
		for (let round = 0; round < rounds; round++)
			times.push({empty: await start(empty), full: await start(full)});
		const row = (what: string, unit: string, read: (start: Start) => number): Row => {
			const [some, none] = [
				median(times.map(({full}) => read(full))),
				median(times.map(({empty}) => read(empty))),
			];
			return {
				...{
					row: 37,
					name: `${what} of a start over ${traces} finished traces / over none`,
					ratio: some / none,
				},
				...{target: '<= 1.5', met: some / none <= 1.5},
				detail: `${some.toFixed(0)} against ${none.toFixed(0)} ${unit}, ${rounds} rounds`,
			};
		};
		return [
			row('time', 'ms', ({milliseconds}) => milliseconds),
			row('memory', 'MB', ({megabytes}) => megabytes),
		];
	} finally {
		await empty.dispose();
		await full.dispose();
	}
};

type Start = {readonly milliseconds: number; readonly megabytes: number};

/** Measures a reactor without work from spawn to end, and the peak memory of one that keeps running. */
const start = async (colony: BusyColony): Promise<Start> => {
	const begin = performance.now();
	await colony.hive(untilIdle);
	const milliseconds = performance.now() - begin;
	const reactor = await colony.startReactor();
	const megabytes = peakMegabytes(reactor.pid);
	await reactor.end('SIGINT');
	return {milliseconds, megabytes};
};

/** Completes one task, and copies its events to other traces. */
const repeatTrace = async (colony: BusyColony, count: number): Promise<void> => {
	await colony.plan('trace', ['task']);
	await colony.hive(untilIdle);
	const said: {event: NewEvent; id: string}[] = [];
	for await (const events of colony.bus.read({traceId: 'trace', after: 0}))
		said.push(...events.map(({id, sequence: _, at: __, ...event}) => ({event, id})));
	for (let first = 0; first < count; first += groupSize)
		await Promise.all(
			Array.from({length: groupSize}, (_, index) => `trace-${first + index}`).flatMap(traceId =>
				said.map(({event, id}) =>
					colony.bus.append({...event, traceId}, {id: id.replace('trace/', `${traceId}/`)}),
				),
			),
		);
};

/** The number of traces whose events are one commit. */
const groupSize = 100;

import {join} from 'node:path';
import type {ActionContext} from '../../source/actions/context.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {offerTo} from '../../source/drivers/reactor-channel/ask.ts';
import {createInboxReader} from '../../source/host/review/read-inbox.ts';
import {openLedger} from '../../source/ledger/ledger.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {createBusyColony, sayBegun} from './busy-colony.ts';
import {median} from './median.ts';
import type {Row} from './row.ts';

const sizes = {small: 100, large: 10_000};
const rounds = 60;
/** Tasks per event, because the size of an event is limited. */
const planSize = 1000;
const traceId = 'trace';

/**
 * Rows 59 and 60: one event in a reactor, and one poll of the chat, for a trace of 10,000 tasks against one
 * of 100.
 */
export const benchLargeTrace = async (): Promise<Row[]> => {
	const [small, large] = [await openTrace(sizes.small), await openTrace(sizes.large)];
	try {
		// Warm-up rounds exclude compilation and first reads from the measurement.
		for (let round = 0; round < 10; round++) for (const trace of [small, large]) await measure(trace);
		const times: {small: Times; large: Times}[] = [];
		for (let round = 0; round < rounds; round++)
			times.push({small: await measure(small), large: await measure(large)});
		const row = (number: number, what: string, key: keyof Times): Row => {
			const [some, few] = [
				median(times.map(({large}) => large[key])),
				median(times.map(({small}) => small[key])),
			];
			return {
				...{row: number, name: `${what} at ${sizes.large} tasks / at ${sizes.small}`, ratio: some / few},
				...{target: '<= 1.5', met: some / few <= 1.5},
				detail: `${some.toFixed(2)} against ${few.toFixed(2)} ms, ${rounds} rounds`,
			};
		};
		return [
			row(59, 'an event offered to a reactor', 'emit'),
			row(60, 'a look of the chat after an event', 'look'),
		];
	} finally {
		await small.dispose();
		await large.dispose();
	}
};

type Times = {readonly emit: number; readonly look: number};
type OpenTrace = Awaited<ReturnType<typeof openTrace>>;

const measure = async ({emit, look}: OpenTrace): Promise<Times> => ({
	emit: await timed(emit),
	look: await timed(look),
});

/** Starts a reactor that works on the first task of the trace, and the reader of a gateway beside it. */
const openTrace = async (tasks: number) => {
	const busy = await createBusyColony({script: `${sayBegun}exec sleep 3600\n`, parallel: 1});
	const ids = Array.from({length: tasks}, (_, index) => `task-${index}`);
	for (let first = 0; first < tasks; first += planSize)
		await busy.plan(traceId, ids.slice(first, first + planSize));
	const reactor = busy.start(['run', '--json']);
	reactor.stdout?.resume();
	reactor.stderr?.resume();
	await busy.begun();
	const read = createInboxReader(await readingOf(busy.bus), await openLedger(busy.bus));
	const socket = join(busy.home, '.config/hive/chaos/reactor.sock');
	const note = {traceId, type: 'INSIGHT', payload: {kind: 'context.note', summary: 'x'}};
	let said = 0;
	return {
		emit: async () => {
			const answer = await offerTo(socket, {text: JSON.stringify(note)}, `note-${said++}`);
			if (answer?.ok !== true) throw new Error('The reactor received no event.');
		},
		look: read,
		dispose: busy.dispose,
	};
};

/** Returns a reader with only the calls that the poll needs. */
const readingOf = async (bus: Awaited<ReturnType<typeof createBusyColony>>['bus']): Promise<ActionContext> =>
	({
		...{bus, clock: createSystemClock(), colony: await colonyFrom({}), checkout: 'chaos', git: {}},
		...{reactorIsAlive: async () => true, places: async () => [], missingPrograms: async () => new Map()},
	}) as unknown as ActionContext;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
	const begin = performance.now();
	await work();
	return performance.now() - begin;
};

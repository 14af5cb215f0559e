import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {NewEvent, StoredEvent} from '../../source/domain/event.ts';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {openSqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import {openLedger, openLiveLedger} from '../../source/ledger/ledger.ts';
import {applyEvents, reduce} from '../../source/ledger/reduce.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {isUnfinished} from '../../source/reactor/interest.ts';
import {median} from './median.ts';
import type {Row} from './row.ts';

const tasks = 20;
const rounds = 7;

/** Rows 17 and 18: folding against parsing of the same lines, and recovery against reading them. */
export const benchLedger = async (): Promise<Row[]> => [...benchFold(), ...(await benchRecovery())];

const benchFold = (): Row[] => {
	const events = storedOf(history(500));
	const lines = events.map(event => JSON.stringify(event));
	const parse = () => lines.map((line): StoredEvent => JSON.parse(line));
	const groups = byTrace(events);
	const one = () => {
		for (const [traceId, own] of groups) own.reduce<Trace>(reduce, emptyTrace(traceId));
	};
	const batch = () => {
		for (const [traceId, own] of groups) applyEvents(emptyTrace(traceId), own);
	};
	const times = {parse: [] as number[], one: [] as number[], batch: [] as number[]};
	for (let round = 0; round < rounds; round++) {
		times.parse.push(timed(parse));
		times.one.push(timed(one));
		times.batch.push(timed(batch));
	}
	const rate = (name: keyof typeof times) => events.length / median(times[name]);
	const row = (name: string, key: 'one' | 'batch', least: number): Row => {
		const ratio = rate(key) / rate('parse');
		const detail = `${Math.round(rate(key))} against ${Math.round(rate('parse'))} events per ms; 500 traces of ${tasks} tasks`;
		return {row: 17, name, ratio, target: `>= ${least}`, met: ratio >= least, detail};
	};
	return [row('fold one by one / JSON.parse', 'one', 0.4), row('fold in batches / JSON.parse', 'batch', 0.7)];
};

const benchRecovery = async (): Promise<Row[]> => {
	const folder = mkdtempSync(path.join(tmpdir(), 'hive-bench-'));
	const clock = createSystemClock();
	const bus = await openSqliteBus({file: path.join(folder, 'events.sqlite'), clock});
	try {
		const events = [...history(950), ...history(50, 950).slice(0, -400)];
		await appendAll(bus.append, events, 0);
		const whole: number[] = [];
		const read: number[] = [];
		for (let round = 0; round < 5; round++) {
			read.push(await timedAsync(() => readAll(bus.read({after: 0}))));
			whole.push(await timedAsync(() => openLedger(bus)));
		}
		const ledger = await openLedger(bus);
		await ledger.checkpoint(trace => isUnfinished(trace));
		await appendAll(bus.append, history(10).slice(0, 1000), 1);
		const tail: number[] = [];
		for (let round = 0; round < 5; round++) {
			read.push(await timedAsync(() => readAll(bus.read({after: 0}))));
			tail.push(await timedAsync(() => openLiveLedger(bus)));
		}
		const row = (name: string, times: number[], most: number): Row => {
			const ratio = median(times) / median(read);
			const detail = `${median(times).toFixed(1)} against ${median(read).toFixed(1)} ms, ${times.length} rounds`;
			return {...{row: 18, name, ratio, target: `<= ${most}`}, met: ratio <= most, detail};
		};
		return [
			row('recovery of 100k events / reading and parsing them', whole, 2),
			row('recovery with checkpoints of 1,000 traces, 50 live, and 1k tail / the same', tail, 0.1),
		];
	} finally {
		await bus.close();
		rmSync(folder, {recursive: true, force: true});
	}
};

/**
 * Returns the interleaved events of several traces, as in a busy colony: plan, claims, runs, proposals,
 * completions, the gate.
 */
const history = (traces: number, first = 0): NewEvent[] => {
	const lives = Array.from({length: traces}, (_, index) =>
		lifeOf(`trace-${(first + index).toString(16).padStart(16, '0')}`),
	);
	return (lives[0] ?? []).flatMap((_, at) => lives.flatMap(life => life[at] ?? []));
};

const lifeOf = (traceId: string): NewEvent[] => {
	const ids = Array.from({length: tasks}, (_, index) => `task-${index}`);
	const say = (type: NewEvent['type'], payload: NewEvent['payload'], agentId = 'runtime'): NewEvent => ({
		...{traceId, agentId, type, payload},
	});
	const plan = ids.map((taskId, index) => ({
		taskId,
		title: `Title of ${taskId}`,
		body: 'What is to be done, in a sentence or two that an agent can work from.',
		dependsOn: index === 0 ? [] : [ids[index - 1] ?? ''],
	}));
	const opening: NewEvent[] = [
		{
			...say('SIGNAL', {kind: 'feature.requested', title: 'A feature', body: 'With some words'}),
			energyBudget: 100,
		},
		say('INSIGHT', {kind: 'task.plan', tasks: plan}),
	];
	const work = ids.flatMap((taskId, index) => {
		const agentId = `${traceId.slice(-8)}${index.toString(16).padStart(8, '0')}`;
		const summary = 'Did what was asked and ran the tests, which pass; see the diff for the details of it.';
		return [
			say('SIGNAL', {
				kind: 'energy.consume',
				amount: 1,
				reason: 'task.dispatch',
				agentId,
				bee: 'builder',
				taskId,
				place: 'p',
			}),
			say('SIGNAL', {kind: 'task.status', taskId, status: 'running', summary: '', agentId}),
			say('MUTATION', {kind: 'code.proposal.isolated', taskId, summary, diff: ''}, agentId),
			say('SIGNAL', {
				kind: 'run.finished',
				agentId,
				bee: 'builder',
				taskId,
				status: 'completed',
				exitCode: 0,
				summary,
			}),
			say('VERIFICATION', {kind: 'task.completed', taskId, status: 'completed', summary, commit: ''}),
		];
	});
	const gate: NewEvent[] = [
		say('INSIGHT', {kind: 'task.plan', tasks: [{taskId: '_review', title: 'Merge', review: 'final'}]}),
		say('SIGNAL', {kind: 'task.status', taskId: '_review', status: 'waiting_review', summary: ''}),
		say('VERIFICATION', {kind: 'task.completed', taskId: '_review', status: 'completed', summary: 'Merged'}),
	];
	return [...opening, ...work, ...gate];
};

const storedOf = (events: readonly NewEvent[]): StoredEvent[] =>
	events.map((event, index) => ({
		...event,
		sequence: index + 1,
		id: (index + 1).toString(16).padStart(28, '0'),
		at: '2026-01-01T00:00:00.000Z',
	}));

const byTrace = (events: readonly StoredEvent[]): [string, StoredEvent[]][] => {
	const groups = new Map<string, StoredEvent[]>();
	for (const event of events) groups.set(event.traceId, [...(groups.get(event.traceId) ?? []), event]);
	return [...groups];
};

const batchSize = 500;

const appendAll = async (append: Bus['append'], events: readonly NewEvent[], part: number): Promise<void> => {
	for (let at = 0; at < events.length; at += batchSize) {
		const batch = events.slice(at, at + batchSize);
		const idOf = (index: number) => `${part}${(at + index).toString(16).padStart(27, '0')}`;
		await Promise.all(batch.map((event, index) => append(event, {id: idOf(index)})));
	}
};

const readAll = async (batches: AsyncIterable<readonly StoredEvent[]>): Promise<number> => {
	let count = 0;
	for await (const events of batches) count += events.length;
	return count;
};

const timed = (work: () => unknown): number => {
	const start = performance.now();
	work();
	return performance.now() - start;
};

const timedAsync = async (work: () => Promise<unknown>): Promise<number> => {
	const start = performance.now();
	await work();
	return performance.now() - start;
};

import {existsSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {afterAll, afterEach, expect} from 'vitest';
import type {StoredEvent} from '../../source/domain/event.ts';
import {foldVersion} from '../../source/ledger/checkpoint.ts';
import {traceId as commonTrace} from '../helpers/events.ts';
import {tapLogs} from '../helpers/log-tap.ts';
import {openHistory, snapshotLines} from './history.ts';

/*
 * Runs before each test file under `record.config.ts`. Keeps the logs of the tests in that file, and writes
 * them for the current version if no recording exists. An existing recording is never overwritten: delete it
 * by hand if it changed on purpose.
 */

type Log = readonly StoredEvent[];

const logs: Log[] = [];

tapLogs(events => logs.push(nameTrace(events)));

/** Replaces the trace id that tests share by the title of the test. */
const nameTrace = (events: Log): Log => {
	const title = expect.getState().currentTestName?.split(' > ').at(-1) ?? '';
	const name = title
		.replace(/[^A-Za-z0-9]+/g, '-')
		.replace(/^-|-$/g, '')
		.slice(0, 56)
		.toLowerCase();
	return events.map(event => ({...event, traceId: event.traceId === commonTrace ? name : event.traceId}));
};

const textOf = (log: Log): string => log.map(event => JSON.stringify({...event, traceId: ''})).join('\n');

/** Returns every log that is not the beginning of another. Further logs of the same trace are numbered. */
const distinct = (all: readonly Log[]): Log[] => {
	const texts = all.map(textOf);
	const taken = new Map<string, number>();
	return all.flatMap((log, at) => {
		const text = texts[at] ?? '';
		const isPart = texts.some((other, index) =>
			other === text ? index < at : other.startsWith(`${text}\n`),
		);
		const [first] = log;
		if (isPart || first === undefined) return [];
		const number = (taken.get(first.traceId) ?? 0) + 1;
		taken.set(first.traceId, number);
		const traceId = number === 1 ? first.traceId : `${first.traceId}-${number}`;
		return [log.map(event => ({...event, traceId}))];
	});
};

let failed = false;

afterEach(({task}) => {
	failed ||= task.result?.state === 'fail';
});

afterAll(async () => {
	const scenario = basename(expect.getState().testPath ?? '').replace(/\.(test|record)\.ts$/, '');
	const files = openHistory().filesOf(foldVersion, scenario);
	const events = distinct(logs).flat();
	if (failed || events.length === 0 || existsSync(files.log)) return;
	await mkdir(dirname(files.log), {recursive: true});
	await writeFile(files.log, linesFrom(events.map(event => JSON.stringify(event))));
	await writeFile(files.snapshots, linesFrom(snapshotLines(events).values()));
});

const linesFrom = (lines: Iterable<string>): string => [...lines].map(line => `${line}\n`).join('');

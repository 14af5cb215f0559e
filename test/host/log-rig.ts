import {randomUUID} from 'node:crypto';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import type {LogMark} from '../../source/domain/log-mark.ts';
import {openNatsBus} from '../../source/drivers/nats-bus/nats-bus.ts';
import {openRawServer} from '../../source/drivers/nats-bus/raw-log.ts';
import {openRawFile} from '../../source/drivers/sqlite-bus/raw-log.ts';
import {openSqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import {type LogMove, moveLog} from '../../source/host/log-admin/move-log.ts';
import type {Bus} from '../../source/ports/bus.ts';
import type {KeptEvent, RawLog} from '../../source/ports/raw-log.ts';
import {wallClock} from '../contract/bus-drivers.ts';
import {serverOfWorker} from '../helpers/server-of-worker.ts';

/** A store of a log, opened as a bus or as a raw log. Both close when their test ends. */
export type Place = {
	readonly open: () => Promise<Bus>;
	readonly openRaw: () => Promise<RawLog>;
};

const closing = async <Closed extends {close: () => Promise<void>}>(
	opening: Promise<Closed>,
): Promise<Closed> => {
	const opened = await opening;
	onTestFinished(opened.close);
	return opened;
};

/** A log in a file that does not exist yet. */
export const filePlace = async (): Promise<Place & {readonly file: string}> => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-move-'));
	onTestFinished(() => rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	const file = join(folder, 'events.sqlite');
	return {
		file,
		open: () => closing(openSqliteBus({file, clock: wallClock})),
		openRaw: () => closing(openRawFile(file, wallClock)),
	};
};

/** A log of a new colony on the server of the worker. */
export const serverPlace = async (): Promise<Place & {readonly id: string}> => {
	const {url, port} = await serverOfWorker();
	const id = `move-${randomUUID()}`;
	const options = {access: {servers: [url], shown: `127.0.0.1:${port}`}, id, clock: wallClock};
	return {
		id,
		open: () => closing(openNatsBus(options)),
		openRaw: () => closing(openRawServer(options)),
	};
};

/** Moves a log of a checkout without a running process. */
export const move = async (from: Place, to: Place, more: Partial<LogMove> = {}) => {
	const [source, target] = [await from.openRaw(), await to.openRaw()];
	const moved: LogMark & {state: 'moved'} = {state: 'moved', to: target.bus.address};
	return moveLog({
		...{source, target, moved, from: 'here', checkout: 'c1', replace: false, expectQuiet: async () => {}},
		signal: new AbortController().signal,
		...more,
	});
};

/** Returns all events with their stored metadata. */
export const keptOf = async (log: RawLog): Promise<KeptEvent[]> => {
	const all: KeptEvent[] = [];
	for await (const batch of log.kept(0)) all.push(...batch);
	return all;
};

/** Returns the content of a log, without checksums and revisions. */
export const contentsOf = async (log: RawLog) => {
	const buckets: Record<string, Record<string, string>> = {};
	for (const name of (await log.buckets()).toSorted()) {
		const entries = await log.bus.bucket(name).entries();
		if (entries.length > 0)
			buckets[name] = Object.fromEntries(entries.map(({key, value}) => [key, value]).toSorted());
	}
	const texts: Record<string, string | undefined> = {};
	for (const hash of (await log.hashes()).toSorted()) texts[hash] = await log.bus.blobs.get(hash);
	const events = (await keptOf(log)).map(({event, previous}) => ({event, previous}));
	return {last: await log.last(), events, buckets, texts};
};

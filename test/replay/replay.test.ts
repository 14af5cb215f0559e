import {describe, expect, it} from 'vitest';
import type {StoredEvent} from '../../source/domain/event.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {decodeTrace, encodeTrace, foldVersion} from '../../source/ledger/checkpoint.ts';
import {applyEvents, kindsWithFold} from '../../source/ledger/reduce.ts';
import {item, planOf, reduceAll, traceId} from '../helpers/events.ts';
import {createRepository} from '../helpers/repository.ts';
import {advice, openHistory} from './history.ts';

const history = openHistory();

describe('recorded logs', () => {
	it.each(history.versions())('of version %i fold to the snapshots that were recorded with them', version => {
		expect(history.differences(version), advice(version)).toEqual([]);
	});

	it('exist for the current version, with every kind of event that the fold handles', () => {
		expect(history.versions(), 'Run "npm run record-history".').toContain(foldVersion);
		const kinds = new Set(history.events(foldVersion).map(({payload}) => payload.kind));
		expect(kindsWithFold.filter(kind => !kinds.has(kind))).toEqual([]);
	});

	it('have checkpoints that decode completely, and are ignored under another version', () => {
		for (const version of history.versions())
			for (const text of history.snapshots(version)) {
				const trace = decodeTrace(text);
				const read = trace && JSON.parse(encodeTrace(trace));
				expect(read).toEqual(version === foldVersion ? JSON.parse(text) : undefined);
			}
	});

	it.each(kindsWithFold)('reveal a fold that ignores %s', kind => {
		const deaf = (trace: Trace, events: readonly StoredEvent[]) =>
			applyEvents(
				trace,
				events.map(event => (event.payload.kind === kind ? {...event, payload: {kind: 'own'}} : event)),
			);
		expect(history.differences(foldVersion, deaf)).not.toEqual([]);
	});

	it('contain no folder of the machine that recorded them', () => {
		const events = history.versions().flatMap(version => history.events(version));
		expect(JSON.stringify(events)).not.toMatch(/\/(tmp|work|home|Users|var|root)\//);
	});
});

describe('a log of an older version', () => {
	const plan = {...planOf(item('a')), sequence: 1, id: 'plan', at: '2026-01-01T00:00:01.000Z'};

	const recorded = async (snapshot: object, more: Record<string, string> = {}) => {
		const {root} = await createRepository({
			'1/old.ndjson': `${JSON.stringify(plan)}\n`,
			'1/old.snapshots.ndjson': `${JSON.stringify(snapshot)}\n`,
			...more,
		});
		return openHistory(root).differences(1);
	};

	const now = JSON.parse(encodeTrace(reduceAll(planOf(item('a')))));

	it('is read by the current fold, whatever version its snapshot has', async () => {
		expect(await recorded({...now, version: 1})).toEqual([]);
	});

	it('is reported if it folds differently, until its folder states the reason', async () => {
		const other = {...now, version: 1, energyRemaining: 3};
		const trace = `old ${traceId}`;
		expect(await recorded(other)).toEqual([trace]);
		expect(await recorded(other, {'1/migrations.json': JSON.stringify({[trace]: 'counts anew'})})).toEqual(
			[],
		);
	});
});

import {describe, expect, it} from 'vitest';
import type {StoredEvent} from '../../source/domain/event.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {decodeTrace, encodeTrace, foldVersion} from '../../source/ledger/checkpoint.ts';
import {applyEvents, foldedKinds} from '../../source/ledger/reduce.ts';
import {item, planOf, reduceAll, traceId} from '../helpers/events.ts';
import {createRepository} from '../helpers/repository.ts';
import {advice, openHistory} from './history.ts';

const history = openHistory();

describe('recorded logs', () => {
	it.each(history.versions())('of version %i fold to the snapshots that were recorded with them', version => {
		expect(history.differences(version), advice(version)).toEqual([]);
	});

	it('are there for the present version, with every kind of event that the fold answers to', () => {
		expect(history.versions(), 'Run "npm run record-history".').toContain(foldVersion);
		const kinds = new Set(history.events(foldVersion).map(({payload}) => payload.kind));
		expect(foldedKinds.filter(kind => !kinds.has(kind))).toEqual([]);
	});

	it('have checkpoints that are read back whole, and ignored once the version has risen', () => {
		for (const version of history.versions())
			for (const text of history.snapshots(version)) {
				const trace = decodeTrace(text);
				const read = trace && JSON.parse(encodeTrace(trace));
				expect(read).toEqual(version === foldVersion ? JSON.parse(text) : undefined);
			}
	});

	it.each(foldedKinds)('show it when the fold takes no notice of %s any more', kind => {
		const deaf = (trace: Trace, events: readonly StoredEvent[]) =>
			applyEvents(
				trace,
				events.map(event => (event.payload.kind === kind ? {...event, payload: {kind: 'own'}} : event)),
			);
		expect(history.differences(foldVersion, deaf)).not.toEqual([]);
	});

	it('name no folder of the machine that they were recorded on', () => {
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

	it('is read by the present fold, whose version does not matter', async () => {
		expect(await recorded({...now, version: 1})).toEqual([]);
	});

	it('is named when it folds to something else, until its folder says why', async () => {
		const other = {...now, version: 1, energyRemaining: 3};
		const trace = `old ${traceId}`;
		expect(await recorded(other)).toEqual([trace]);
		expect(await recorded(other, {'1/migrations.json': JSON.stringify({[trace]: 'counts anew'})})).toEqual(
			[],
		);
	});
});

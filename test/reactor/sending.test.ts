import {expect, test} from 'vitest';
import {forgeDefaults} from '../../source/colony/forge.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {createSending, maxSendMs} from '../../source/reactor/sending.ts';
import {createEvent, item, planOf, reduceAll, statusOf, traceId} from '../helpers/events.ts';
import {createManualClock} from './rig.ts';
import {builder, colonyOf} from './scene.ts';

const forge = {
	...{provider: 'github' as const, api: 'https://forge.invalid', repository: 'ada/hive'},
	...{...forgeDefaults, draft: false, reviewers: [], labels: [], trusted: []},
};
const requested = reduceAll(
	planOf({...item('gate'), review: 'final'}),
	statusOf('gate', 'waiting_review'),
	createEvent('SIGNAL', {
		...{kind: 'pull_request.requested', taskId: 'gate', tree: 'a'.repeat(40), base: 'main', by: 'ada'},
	}),
);

test('a request that its forge does not take keeps a reactor busy for five minutes', () => {
	const clock = createManualClock();
	const traces = new Map<string, Trace>([[traceId, requested]]);
	let notified = 0;
	const {isBusy} = createSending(
		{clock, colony: () => ({...colonyOf([builder]), forge}), checkout: 'here', only: undefined},
		{
			ledger: {traces: () => traces},
			notify: () => {
				notified += 1;
			},
		},
	);
	expect(isBusy()).toBe(true);
	clock.advance(maxSendMs - 1);
	expect([isBusy(), notified]).toEqual([true, 0]);
	clock.advance(1);
	expect([isBusy(), notified]).toEqual([false, 1]);
	traces.delete(traceId);
	expect(isBusy()).toBe(false);
	traces.set(traceId, requested);
	expect(isBusy()).toBe(true);
});

test('a request of another checkout keeps no reactor busy', () => {
	const traces = new Map<string, Trace>([[traceId, {...requested, place: 'there'}]]);
	const {isBusy} = createSending(
		{
			...{clock: createManualClock(), checkout: 'here', only: undefined},
			colony: () => ({...colonyOf([builder]), forge}),
		},
		{ledger: {traces: () => traces}, notify: () => {}},
	);
	expect(isBusy()).toBe(false);
});

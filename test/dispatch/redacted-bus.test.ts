import {expect, test} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import type {DispatchPorts} from '../../source/dispatch/ports.ts';
import {redactingBus} from '../../source/dispatch/redacting.ts';
import {createRedactor} from '../../source/domain/redact.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import type {RedactedBus} from '../../source/ports/bus.ts';
import type {FlushPorts} from '../../source/runs/publish-pending.ts';
import {wallClock} from '../contract/bus-drivers.ts';
import {collect} from '../contract/collect.ts';

type Publishes = Pick<ActionContext, 'bus'> & Pick<DispatchPorts, 'bus'> & Pick<FlushPorts, 'bus'>;

test('text of agents and people is published through a redacting bus, and the compiler rejects any other', async () => {
	const raw = createMemoryBus({clock: wallClock});
	const bus: RedactedBus = redactingBus(raw, createRedactor(['hush-hush-42']));
	// @ts-expect-error A bus without redaction is not assignable.
	const leaking: Publishes = {bus: raw};
	const safe: Publishes = {bus};
	const event = {
		traceId: 'a',
		type: 'INSIGHT' as const,
		payload: {kind: 'note', body: 'the key hush-hush-42'},
	};
	await safe.bus.append(event, {id: 'one'});
	await leaking.bus.append(event, {id: 'two'});
	const hash = await bus.blobs.put('hush-hush-42');
	const [one, two] = await collect(bus.read({after: 0}));
	expect(one?.payload).toMatchObject({kind: 'note', body: expect.not.stringContaining('hush')});
	expect(two?.payload).toEqual(event.payload);
	expect(await raw.blobs.get(hash)).not.toContain('hush');
});

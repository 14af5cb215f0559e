import {expect, it} from 'vitest';
import {HiveError} from '../../source/domain/errors.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {holdReactor} from '../../source/host/hold-reactor.ts';
import type {Host} from '../../source/host/host.ts';

/** A standby process whose bus fails at the moment of the take-over. */
const createScene = (isLost: boolean) => {
	let tell = (_: boolean): void => {};
	let starts = 0;
	const over = new AbortController();
	const host = {
		react: async () => {
			starts += 1;
			if (starts > 1) return {idle: async () => {}, over: new Promise<void>(() => {}), close: async () => {}};
			if (isLost) tell(false);
			throw new HiveError('bus_unreachable', {message: 'The connection is lost.'});
		},
		reactor: async () => {
			tell(true);
			return undefined;
		},
	} as unknown as Host;
	const held = holdReactor(host, {
		bus: {address: 'here', watchConnection: (_, call) => (tell = call)},
		clock: createSystemClock(),
		only: undefined,
		report: () => {},
		signal: over.signal,
	});
	return {held, starts: () => starts};
};

it('a standby reactor waits for a bus that is lost during its take-over', async () => {
	const {held, starts} = createScene(true);
	await held.idle;
	expect(starts()).toBe(2);
});

it('a standby reactor ends when a connected bus refuses its take-over', async () => {
	const {held, starts} = createScene(false);
	await expect(held.over).rejects.toThrow('The connection is lost.');
	expect(starts()).toBe(1);
});

// A process that contends for claims through a connection of its own: `node <program> <port> <name>`.
import {setTimeout as pass} from 'node:timers/promises';
import {HiveError} from '../../../source/domain/errors.ts';
import {openNatsBus} from '../../../source/drivers/nats-bus/nats-bus.ts';
import {wallClock} from '../../contract/bus-drivers.ts';
import {type Answer, claimOf, colony, type Opened} from './claims.ts';

const [port = '', name = ''] = process.argv.slice(2);
const access = {servers: [`nats://127.0.0.1:${port}`], shown: `127.0.0.1:${port}`};

/**
 * Again while the bus cannot be reached: a machine with more contenders than it can carry keeps them waiting
 * too long.
 */
const insist = async <Result>(work: () => Promise<Result>): Promise<Result> => {
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (!(error instanceof HiveError) || error.refusal.code !== 'bus_unreachable') throw error;
			await pass(50);
		}
	}
};

const bus = await insist(() => openNatsBus({access, id: colony, clock: wallClock}));

process.on('message', async (claims: readonly Opened[]) => {
	for (const {claim, after} of claims) {
		const {event, id} = claimOf(claim, name);
		const appended = await insist(() => bus.append(event, {id, after}));
		const answer: Answer = {claim, won: appended.ok ? appended.sequence : undefined};
		process.send?.(answer);
	}
	await bus.close();
	process.disconnect();
});
process.send?.('ready');

// A process that contends for claims on its own connection: `node <program> <port> <name>`.
import {setTimeout as pass} from 'node:timers/promises';
import {HiveError} from '../../../source/domain/errors.ts';
import {openNatsBus} from '../../../source/drivers/nats-bus/nats-bus.ts';
import {wallClock} from '../../contract/bus-drivers.ts';
import {type Answer, claimOf, colony, type Opened} from './claims.ts';

const [port = '', name = ''] = process.argv.slice(2);
const access = {servers: [`nats://127.0.0.1:${port}`], shown: `127.0.0.1:${port}`};

/** Retries while the bus is unreachable: an overloaded machine delays contenders beyond the timeout. */
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

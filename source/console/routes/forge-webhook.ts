import {refuse} from '../../domain/errors.ts';
import {noteDelivery} from '../../host/forge-deliveries.ts';
import {type Call, connectionOf} from '../call.ts';
import type {ConsoleServices} from '../console-services.ts';
import type {Reply} from '../reply.ts';
import {readDelivery} from '../webhook.ts';

/** The path on which a forge says that something has happened. */
export const webhookPath = '/api/forge/webhook';

/** Names a forge among the owners of connections. */
const owner = 'forge';

/**
 * Takes deliveries of the forge's webhook. The forge has no token of the console: it knows the secret of the
 * webhook. A delivery wakes the watchers of pull requests, which then ask the forge themselves. Without a
 * secret there is no such route.
 */
export const takeDelivery =
	({host, context}: Pick<ConsoleServices, 'host' | 'context'>, reply: Reply) =>
	async (call: Call): Promise<Response> => {
		const {provider, webhookSecretEnv = ''} = context.colony.forge ?? {};
		const secret = host.env[webhookSecretEnv];
		if (provider === undefined || !secret) return reply.problem(call, refuse('unknown_route').refusal);
		const id = await readDelivery(provider, secret, {
			header: name => call.req.header(name),
			body: call.req.raw.body ?? nothing(),
		});
		if (!id.ok) return reply.problem(call, id.refusal);
		connectionOf(call).authorize?.(owner);
		return (await noteDelivery(context.bus, id.value))
			? reply.json(call, {})
			: reply.problem(call, refuse('delivery_repeated').refusal);
	};

async function* nothing(): AsyncGenerator<Uint8Array> {}

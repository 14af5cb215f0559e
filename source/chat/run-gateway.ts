import {errorMessage} from '../domain/error-message.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {sanitizeText} from '../domain/sanitize.ts';
import type {ChatSettings, Host} from '../host/host.ts';
import type {LiveColony} from '../host/live/live.ts';
import {openLiveColony} from '../host/live/live-colony.ts';
import type {Channel} from './channel.ts';
import {type Bucket, bucketOf, type Context} from './context.ts';
import {type Desk, openDesk} from './desk.ts';
import {keepLooking} from './keep-looking.ts';
import {whileHeld} from './lease.ts';
import {openChat} from './open-chat.ts';
import {channelOf, openTelegram} from './telegram/gateway.ts';
import {createWebhookChannel} from './webhook/channel.ts';
import {listenForAnswers} from './webhook/listen.ts';

type GatewayOptions = {
	readonly signal: AbortSignal;
	/** Receives messages for the person who runs the gateway. */
	readonly report: (message: string) => void;
};

/**
 * Runs the chat gateway until the signal aborts (docs/architecture.md §8). Refused if `chat.yaml` enables
 * nothing.
 */
export const runGateway = async (host: Host, {signal, report}: GatewayOptions): Promise<Outcome<void>> => {
	const opened = await openChat(host);
	if (!opened.ok) return opened;
	const {settings, context} = opened.value;
	const {token, webhook} = settings;
	const live = await openLiveColony(host, {logTaken: () => {}});
	const bucket = bucketOf(context);
	const {clock} = context;
	const ports = {host, context, bucket, settings, live, report};
	/** At most one gateway of the colony serves a channel at a time. */
	const serve = (name: string, run: (held: AbortSignal) => Promise<void>): Promise<void> => {
		const lock = context.gatewayLock?.(name) ?? {take: () => true, release: () => {}};
		const place = context.checkout;
		return whileHeld({bucket, clock, key: `${name}.lease`, place, lock, signal, report}, run);
	};
	const work = async (desk: Desk, held: AbortSignal, hear: () => Promise<void>): Promise<void> => {
		report('The gateway is here. Ctrl+C ends it; what it has begun goes on with the next.');
		void keepLooking({host, desk, live, clock, signal: held, report});
		await hear();
		await desk.settled();
	};
	const chat = async (held: AbortSignal): Promise<void> => {
		const telegram = await openTelegram({
			...{context, bucket, settings, report},
			token: token ?? '',
			signal: held,
		});
		const desk = await openDeskOf({...ports, channel: telegram.channel});
		await work(desk, held, () => telegram.run(desk));
	};
	const hook = async (held: AbortSignal): Promise<void> => {
		if (webhook === undefined) return;
		const desk = await openDeskOf({...ports, channel: createWebhookChannel(webhook, clock)});
		await work(desk, held, () => listenForAnswers({webhook, clock, signal: held, hear: desk.hear}));
	};
	await Promise.all([
		...(token === undefined ? [] : [serve(channelOf(token), chat)]),
		...(webhook === undefined ? [] : [serve('webhook', hook)]),
	]);
	return accepted(undefined);
};

type Opening = {
	readonly host: Host;
	readonly context: Context;
	readonly bucket: Bucket;
	readonly settings: ChatSettings;
	readonly live: LiveColony;
	readonly channel: Channel;
	readonly report: (message: string) => void;
};

const openDeskOf = ({host, context, bucket, settings, live, channel, report}: Opening): Promise<Desk> => {
	const {redact = (text: string) => text} = context;
	const clean = (text: string): string => redact(sanitizeText(text).text);
	return openDesk({
		...{context, bucket, settings, channel, clean, reach: context.reach},
		...{preview: live.preview, header: live.header, readInbox: live.inbox},
		reactorIsAlive: async () => (await host.reactor().catch(() => undefined)) !== undefined,
		failed: (what, error) => report(`${what}: ${errorMessage(error)}`),
	});
};

import {errorMessage} from '../domain/error-message.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {sanitizeText} from '../domain/sanitize.ts';
import type {ChatSettings, Host} from '../host/host.ts';
import type {LiveColony} from '../host/live/live.ts';
import {openLiveColony} from '../host/live/live-colony.ts';
import type {Channel} from './channel.ts';
import {type ChatController, openChatController} from './chat-controller.ts';
import {type Bucket, bucketOf, type Context} from './context.ts';
import {runWithLease} from './lease.ts';
import {openChat} from './open-chat.ts';
import {runPollLoop} from './poll-loop.ts';
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
	const serveChannel = (name: string, run: (leaseSignal: AbortSignal) => Promise<void>): Promise<void> => {
		const lock = context.gatewayLock?.(name) ?? {take: () => true, release: () => {}};
		const machine = context.checkout;
		return runWithLease({bucket, clock, key: `${name}.lease`, place: machine, lock, signal, report}, run);
	};
	const runController = async (
		controller: ChatController,
		leaseSignal: AbortSignal,
		runInput: () => Promise<void>,
	): Promise<void> => {
		report('The gateway is running. Ctrl+C stops it; the next gateway finishes what it started.');
		void runPollLoop({host, controller, live, clock, signal: leaseSignal, report});
		await runInput();
		await controller.settled();
	};
	const runTelegram = async (leaseSignal: AbortSignal): Promise<void> => {
		const telegram = await openTelegram({
			...{context, bucket, settings, report},
			token: token ?? '',
			signal: leaseSignal,
		});
		const controller = await createController({...ports, channel: telegram.channel});
		await runController(controller, leaseSignal, () => telegram.run(controller));
	};
	const runWebhook = async (leaseSignal: AbortSignal): Promise<void> => {
		if (webhook === undefined) return;
		const controller = await createController({...ports, channel: createWebhookChannel(webhook, clock)});
		await runController(controller, leaseSignal, () =>
			listenForAnswers({webhook, clock, signal: leaseSignal, receive: controller.receive}),
		);
	};
	await Promise.all([
		...(token === undefined ? [] : [serveChannel(channelOf(token), runTelegram)]),
		...(webhook === undefined ? [] : [serveChannel('webhook', runWebhook)]),
	]);
	return accepted(undefined);
};

type ControllerOptions = {
	readonly host: Host;
	readonly context: Context;
	readonly bucket: Bucket;
	readonly settings: ChatSettings;
	readonly live: LiveColony;
	readonly channel: Channel;
	readonly report: (message: string) => void;
};

const createController = ({
	host,
	context,
	bucket,
	settings,
	live,
	channel,
	report,
}: ControllerOptions): Promise<ChatController> => {
	const {redact = (text: string) => text} = context;
	const sanitize = (text: string): string => redact(sanitizeText(text).text);
	return openChatController({
		...{context, bucket, settings, channel, sanitize, failpoint: context.failpoint},
		...{preview: live.preview, header: live.header, readInbox: live.inbox},
		reactorIsAlive: async () => (await host.reactor().catch(() => undefined)) !== undefined,
		onError: (what, error) => report(`${what}: ${errorMessage(error)}`),
	});
};

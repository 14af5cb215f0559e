import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {sanitizeText} from '../domain/sanitize.ts';
import type {ChatSettings, Host} from '../host/host.ts';
import type {LiveColony} from '../host/live.ts';
import {openLiveColony} from '../host/live-colony.ts';
import type {Bucket, Context} from './cards.ts';
import type {Channel} from './channel.ts';
import {type Desk, openDesk} from './desk.ts';
import {whileHeld} from './lease.ts';
import {makePairingCode} from './pairing.ts';
import {pause} from './pause.ts';
import {channelOf, openTelegram} from './telegram/gateway.ts';
import {createWebhookChannel} from './webhook/channel.ts';
import {listenForAnswers} from './webhook/listen.ts';

export type GatewayOptions = {
	readonly signal: AbortSignal;
	/** Called with what a person beside it should know. */
	readonly report: (message: string) => void;
};

/** The bucket of the log in which everything is kept that a gateway knows. */
const bucketOf = ({bus}: Context): Bucket => bus.bucket('chat');

/** Tells and hears in the chat until the signal (docs/architecture.md §8). Refused where `chat.yaml` enables nothing. */
export const runGateway = async (host: Host, {signal, report}: GatewayOptions): Promise<Outcome<void>> => {
	const settings = await host.chat();
	if (settings === undefined) return notEnabled;
	const {token, webhook} = settings;
	const context = await host.open();
	if (context.insideRun !== undefined) return refuse('not_for_agents');
	const live = await openLiveColony(host, {ownReactor: () => undefined, logTaken: () => {}});
	const bucket = bucketOf(context);
	const {clock} = context;
	const ports = {host, context, bucket, settings, live, report};
	/** One gateway of the colony at a time answers on it. */
	const serve = (name: string, run: (held: AbortSignal) => Promise<void>): Promise<void> => {
		const lock = context.gatewayLock?.(name) ?? {take: () => true, release: () => {}};
		const place = context.checkout;
		return whileHeld({bucket, clock, key: `${name}.lease`, place, lock, signal, report}, run);
	};
	const work = async (desk: Desk, held: AbortSignal, hear: () => Promise<void>): Promise<void> => {
		report('The gateway is here. Ctrl+C ends it; what it has begun goes on with the next.');
		keepLooking({host, desk, live, clock}, {signal: held, report});
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

/** A code that adds a chat. Refused where `chat.yaml` enables nothing. */
export const makeCode = async (host: Host): Promise<Outcome<string>> => {
	const settings = await host.chat();
	if (settings?.token === undefined) return notEnabled;
	const context = await host.open();
	if (context.insideRun !== undefined) return refuse('not_for_agents');
	return accepted(
		await makePairingCode(
			{bucket: bucketOf(context), prefix: `${channelOf(settings.token)}.`},
			context.clock,
		),
	);
};

const notEnabled = refuse('invalid_config', {
	message: 'No chat is enabled on this machine.',
	hint: 'Write chat.yaml beside config.yaml with "enabled: true" and a bot token; see the readme.',
});

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
		...{preview: live.preview, header: live.header},
		reactorIsAlive: async () => (await host.reactor().catch(() => undefined)) !== undefined,
		failed: (what, error) => report(`${what}: ${error instanceof Error ? error.message : String(error)}`),
	});
};

/** What changes in one breath is looked at once. */
const lookMilliseconds = 100;
/** Without a change: what could not be sent or done is tried again, and limits pass. */
const againMilliseconds = 10_000;

type Eyes = {
	readonly host: Host;
	readonly desk: Desk;
	readonly live: LiveColony;
	readonly clock: Context['clock'];
};

const keepLooking = ({host, desk, live, clock}: Eyes, {signal, report}: GatewayOptions): void => {
	let wake = (): void => {};
	live.follow(signal, () => wake());
	// Broken since it was opened: what was read then counts, and `hive doctor` reports it.
	void host.followConfiguration({signal, changed: () => wake()}).catch(() => {});
	const look = async (): Promise<void> => {
		let said = '';
		while (!signal.aborted) {
			const changed = new Promise<void>(resolve => {
				wake = resolve;
			});
			try {
				await desk.look();
				said = '';
			} catch (error) {
				const words = error instanceof Error ? error.message : String(error);
				if (words !== said) report(words);
				said = words;
			}
			await Promise.race([changed, pause(clock, signal, againMilliseconds)]);
			await pause(clock, signal, lookMilliseconds);
		}
	};
	void look();
};

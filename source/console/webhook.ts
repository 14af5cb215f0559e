import {createHash, createHmac, timingSafeEqual} from 'node:crypto';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';

/** A request of a forge. Its body is read at most once. */
export type Delivery = {
	readonly header: (name: string) => string | undefined;
	readonly body: AsyncIterable<Uint8Array>;
};

/** How a forge proves that it knows the secret, and names its deliveries. */
type Webhook = {
	readonly prove: (delivery: Delivery, secret: string) => Promise<Outcome<void>>;
	/** Headers with the id of a delivery, which a repetition has too. The first one that is there counts. */
	readonly idHeaders: readonly string[];
};

/** Bytes of a body that is signed. GitHub sends no larger ones. */
export const maxDeliveryBytes = 25 * 1024 * 1024;

const maxIdLength = 200;

const unproven = refuse('unauthorized', {
	message: 'The delivery is not signed with the secret of this console.',
	hint: 'Give the webhook at the forge the secret that the variable of "webhook_secret_env" has.',
});

const tooLarge = refuse('request_too_large', {
	message: `The delivery is larger than ${maxDeliveryBytes / 1024 / 1024} MiB.`,
	hint: 'Choose fewer events for the webhook at the forge.',
});

/** HMAC-SHA-256 of the raw body, which is not kept. */
const proveBySignature: Webhook['prove'] = async ({header, body}, secret) => {
	const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(header('x-hub-signature-256') ?? '') ?? [];
	if (hex === undefined) return unproven;
	if (Number(header('content-length') ?? 0) > maxDeliveryBytes) return tooLarge;
	const hmac = createHmac('sha256', secret);
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		if (size > maxDeliveryBytes) return tooLarge;
		hmac.update(chunk);
	}
	return timingSafeEqual(hmac.digest(), Buffer.from(hex, 'hex')) ? accepted(undefined) : unproven;
};

/** The secret itself. Hashes have the same length, so the comparison takes the same time. */
const proveByToken: Webhook['prove'] = async ({header}, secret) => {
	const given = header('x-gitlab-token');
	const hash = (text: string) => createHash('sha256').update(text).digest();
	return given !== undefined && timingSafeEqual(hash(given), hash(secret)) ? accepted(undefined) : unproven;
};

const webhooks = {
	github: {prove: proveBySignature, idHeaders: ['x-github-delivery']},
	gitlab: {prove: proveByToken, idHeaders: ['idempotency-key', 'x-gitlab-event-uuid']},
} as const satisfies Readonly<Record<string, Webhook>>;

/**
 * Returns the id of a delivery whose forge knows the secret. Nothing else of it is read or believed. Refuses
 * `unauthorized`, `request_too_large`, and `usage` without an id.
 */
export const readDelivery = async (
	provider: keyof typeof webhooks,
	secret: string,
	delivery: Delivery,
): Promise<Outcome<string>> => {
	const {prove, idHeaders} = webhooks[provider];
	const proven = await prove(delivery, secret);
	if (!proven.ok) return proven;
	const id = idHeaders.map(delivery.header).find(Boolean);
	return id !== undefined && id.length <= maxIdLength
		? accepted(id)
		: refuse('usage', {
				message: 'The delivery has no id.',
				hint: `A forge sends it in the header ${idHeaders[0]}.`,
			});
};

import {createHmac, timingSafeEqual} from 'node:crypto';

/** Headers that go with every message, in both directions. */
export const timeHeader = 'x-hive-time';
export const signatureHeader = 'x-hive-signature';

/** A signature older or newer than this is not accepted, which prevents replays of an observed request. */
const maxAgeMs = 5 * 60 * 1000;

/** @param time milliseconds since 1970, as text in its header */
export const sign = (secret: string, time: string, body: string): string =>
	`sha256=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;

export const isSigned = (
	secret: string,
	now: number,
	given: {readonly time: string; readonly signature: string; readonly body: string},
): boolean => {
	const {time, signature, body} = given;
	const expected = Buffer.from(sign(secret, time, body));
	const found = Buffer.from(signature);
	const isRecent = /^\d{1,15}$/.test(time) && Math.abs(now - Number(time)) <= maxAgeMs;
	return isRecent && expected.length === found.length && timingSafeEqual(expected, found);
};

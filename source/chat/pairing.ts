import {createHash, randomInt, timingSafeEqual} from 'node:crypto';
import type {Bucket, Context} from './cards.ts';

/** Where a bot keeps who is paired with it. */
export type Pairings = {readonly bucket: Bucket; readonly prefix: string};

const codeKey = 'pairing';
const codeMilliseconds = 10 * 60 * 1000;

/** No letter that is taken for another. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeLength = 10;

type Kept = {readonly hash: string; readonly until: number; readonly usedBy?: string};

/** A code that adds one chat, once, within ten minutes; an earlier one is void. */
export const makePairingCode = async (
	{bucket, prefix}: Pairings,
	clock: Context['clock'],
): Promise<string> => {
	const key = `${prefix}${codeKey}`;
	const code = Array.from({length: codeLength}, () => letters[randomInt(letters.length)]).join('');
	const value = JSON.stringify({hash: hashOf(code), until: clock.now() + codeMilliseconds} satisfies Kept);
	for (;;) {
		const known = await bucket.get(key);
		const kept = await (known === undefined
			? bucket.create(key, value)
			: bucket.update(key, value, known.revision));
		if (kept !== undefined) return code;
	}
};

/** Whom hive listens to, beside those of `chat.yaml`. */
export type Paired = {readonly user: string; readonly chat: string};

/** Takes a code that a stranger sent; true when they are known from now on. The same one that is cut off may send it again. */
export const pair = async (
	{bucket, prefix}: Pairings,
	clock: Context['clock'],
	text: string,
	{user, chat}: Paired,
): Promise<boolean> => {
	const code = /^(?:\/start\s+)?([A-Za-z2-9]{10})$/.exec(text.trim())?.[1]?.toUpperCase();
	const known = code === undefined ? undefined : await bucket.get(`${prefix}${codeKey}`);
	if (code === undefined || known === undefined) return false;
	const {hash, until, usedBy}: Kept = JSON.parse(known.value);
	const who = `${user}/${chat}`;
	const isCode = timingSafeEqual(Buffer.from(hash), Buffer.from(hashOf(code)));
	if (!isCode || clock.now() > until || (usedBy !== undefined && usedBy !== who)) return false;
	const used = JSON.stringify({hash, until, usedBy: who} satisfies Kept);
	if ((await bucket.update(`${prefix}${codeKey}`, used, known.revision)) === undefined) return false;
	await bucket.create(`${prefix}paired.${who}`, JSON.stringify({user, chat} satisfies Paired));
	return true;
};

export const readPaired = async ({bucket, prefix}: Pairings): Promise<readonly Paired[]> =>
	(await bucket.entries())
		.filter(({key}) => key.startsWith(`${prefix}paired.`))
		.map(({value}): Paired => JSON.parse(value));

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex');

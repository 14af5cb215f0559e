import {createHash, randomInt, timingSafeEqual} from 'node:crypto';
import type {Context} from './context.ts';
import {keepPaired, type Paired, type Pairings, removePaired, type Who} from './paired.ts';
import {put} from './put.ts';

const codeMilliseconds = 10 * 60 * 1000;

/** Letters and digits without those that look alike. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeLength = 10;

type Kept = {readonly hash: string; readonly until: number; readonly usedBy?: Who};

const keyOfCode = ({prefix}: Pairings): string => `${prefix}pairing`;

/** Makes a code that pairs one chat, once, within ten minutes. An earlier code becomes void. */
export const makePairingCode = async (pairings: Pairings, clock: Context['clock']): Promise<string> => {
	const code = Array.from({length: codeLength}, () => letters[randomInt(letters.length)]).join('');
	const kept: Kept = {hash: hashOf(code), until: clock.now() + codeMilliseconds};
	await put(pairings.bucket, keyOfCode(pairings), JSON.stringify(kept));
	return code;
};

/**
 * Takes a code that an unpaired person sent. True if they are paired now. The same person may send the code
 * again after an interruption.
 */
export const pair = async (
	pairings: Pairings,
	clock: Context['clock'],
	text: string,
	{user, chat}: Who,
): Promise<boolean> => {
	const code = /^(?:\/start\s+)?([A-Za-z2-9]{10})$/.exec(text.trim())?.[1]?.toUpperCase();
	const known = code === undefined ? undefined : await pairings.bucket.get(keyOfCode(pairings));
	if (code === undefined || known === undefined) return false;
	const {hash, until, usedBy}: Kept = JSON.parse(known.value);
	const isCode = timingSafeEqual(Buffer.from(hash), Buffer.from(hashOf(code)));
	const isOthers = usedBy !== undefined && (usedBy.user !== user || usedBy.chat !== chat);
	if (!isCode || clock.now() > until || isOthers) return false;
	const used = JSON.stringify({hash, until, usedBy: {user, chat}} satisfies Kept);
	if ((await pairings.bucket.update(keyOfCode(pairings), used, known.revision)) === undefined) return false;
	await keepPaired(pairings, {user, chat, at: clock.now()});
	return true;
};

/** Removes all pairings of the chat, and makes the code that they used void. Returns the removed pairings. */
export const unpair = async (pairings: Pairings, chat: string): Promise<readonly Paired[]> => {
	const {bucket} = pairings;
	const code = await bucket.get(keyOfCode(pairings));
	const kept: Kept | undefined = code && JSON.parse(code.value);
	if (code !== undefined && kept?.usedBy?.chat === chat) await bucket.delete(code.key, code.revision);
	return removePaired(pairings, chat);
};

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex');

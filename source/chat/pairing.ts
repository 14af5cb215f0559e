import {createHash, randomInt, timingSafeEqual} from 'node:crypto';
import type {Context} from './context.ts';
import {type ChatUser, type Pairing, type PairingStore, removePaired, savePairing} from './paired.ts';
import {setValue} from './set-value.ts';

const codeLifeMs = 10 * 60 * 1000;

/** Letters and digits without those that look alike. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeLength = 10;

type StoredCode = {readonly hash: string; readonly until: number; readonly usedBy?: ChatUser};

const keyOfCode = ({prefix}: PairingStore): string => `${prefix}pairing`;

/** Makes a code that pairs one chat, once, within ten minutes. An earlier code becomes void. */
export const makePairingCode = async (pairings: PairingStore, clock: Context['clock']): Promise<string> => {
	const code = Array.from({length: codeLength}, () => letters[randomInt(letters.length)]).join('');
	const storedCode: StoredCode = {hash: hashOf(code), until: clock.now() + codeLifeMs};
	await setValue(pairings.bucket, keyOfCode(pairings), JSON.stringify(storedCode));
	return code;
};

/**
 * Takes a code that an unpaired person sent. True if they are paired now. The same person may send the code
 * again after an interruption.
 */
export const pair = async (
	pairings: PairingStore,
	clock: Context['clock'],
	text: string,
	{user, chat}: ChatUser,
): Promise<boolean> => {
	const code = /^(?:\/start\s+)?([A-Za-z2-9]{10})$/.exec(text.trim())?.[1]?.toUpperCase();
	const known = code === undefined ? undefined : await pairings.bucket.get(keyOfCode(pairings));
	if (code === undefined || known === undefined) return false;
	const {hash, until, usedBy}: StoredCode = JSON.parse(known.value);
	const isCode = timingSafeEqual(Buffer.from(hash), Buffer.from(hashOf(code)));
	const isUsedByOther = usedBy !== undefined && (usedBy.user !== user || usedBy.chat !== chat);
	if (!isCode || clock.now() > until || isUsedByOther) return false;
	const used = JSON.stringify({hash, until, usedBy: {user, chat}} satisfies StoredCode);
	if ((await pairings.bucket.update(keyOfCode(pairings), used, known.revision)) === undefined) return false;
	await savePairing(pairings, {user, chat, at: clock.now()});
	return true;
};

/** Removes all pairings of the chat, and makes the code that they used void. Returns the removed pairings. */
export const unpair = async (pairings: PairingStore, chat: string): Promise<readonly Pairing[]> => {
	const {bucket} = pairings;
	const code = await bucket.get(keyOfCode(pairings));
	const storedCode: StoredCode | undefined = code && JSON.parse(code.value);
	if (code !== undefined && storedCode?.usedBy?.chat === chat) await bucket.delete(code.key, code.revision);
	return removePaired(pairings, chat);
};

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex');

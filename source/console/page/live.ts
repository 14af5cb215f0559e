import {useEffect, useState} from 'preact/hooks';
import {type Address, type Answer, type Problem, read} from './api.ts';
import {listenToStream} from './listen.ts';

const listeners = new Set<() => void>();

/** Debounce of refreshes, in milliseconds. */
const debounceMs = 150;

let connection: 'open' | 'lost' = 'open';
export const connectionNow = (): typeof connection => connection;

/** Follows the colony's events. Each event makes every mounted view read again. */
export const followChanges = (): void => {
	let isDue = false;
	const scheduleRefresh = (): void => {
		if (isDue) return;
		isDue = true;
		setTimeout(() => {
			isDue = false;
			refresh();
		}, debounceMs);
	};
	const stream = listenToStream(isOpen => {
		connection = isOpen ? 'open' : 'lost';
		scheduleRefresh();
	});
	// The console no longer knows this browser: the reload drops all that is shown, and the page asks for a
	// link.
	void stream.then(() => location.reload());
};

const onRefresh = (call: () => void): (() => void) => {
	listeners.add(call);
	return () => listeners.delete(call);
};

/** Makes every view read again, after an action was done. */
export const refresh = (): void => {
	for (const call of [...listeners]) call();
};

/** Milliseconds until a read that failed on the way is tried again. */
const retryMs = 2000;

/** True if the same request may succeed soon: it was lost on the way, or the console was busy. */
const isTransient = ({status}: Problem): boolean => status === 0 || status === 429 || status >= 500;

/**
 * What is shown after an answer. An answer that was lost on the way leaves the page as it is. So no dialog
 * and no typed word is lost.
 */
const shownAfter = <Value>(
	before: Shown<Value> & {readonly path: string},
	path: string,
	answer: Answer<Value>,
): Shown<Value> & {readonly path: string} => {
	if (answer.ok) {
		// The same object, so nothing is drawn again.
		const isSame = before.path === path && answer.tag !== '' && before.tag === answer.tag;
		return isSame && before.problem === undefined ? before : {path, value: answer.value, tag: answer.tag};
	}
	if (before.path === path && before.value !== undefined && isTransient(answer.problem)) return before;
	return {path, tag: '', problem: answer.problem};
};

export type Shown<Value> = {readonly value?: Value; readonly tag: string; readonly problem?: Problem};

/**
 * Returns a route's answer, and reads it again whenever the colony changes. `often` is a poll interval in
 * milliseconds, for routes that no event announces. Without an address it reads nothing.
 */
export const useView = <Value>(path: Address<Value> | undefined, intervalMs?: number): Shown<Value> => {
	const [shown, show] = useState<Shown<Value> & {readonly path: string}>({path: path ?? '', tag: ''});
	useEffect(() => {
		if (path === undefined) return;
		let isOver = false;
		let isReading = false;
		let isDue = false;
		let retry: ReturnType<typeof setTimeout> | undefined;
		const load = async (): Promise<void> => {
			isDue = isReading;
			if (isReading) return;
			isReading = true;
			clearTimeout(retry);
			const answer = await read(path);
			isReading = false;
			if (isOver) return;
			show(before => shownAfter(before, path, answer));
			if (isDue) void load();
			else if (!answer.ok && isTransient(answer.problem)) retry = setTimeout(() => void load(), retryMs);
		};
		void load();
		const leave = onRefresh(() => void load());
		const timer = intervalMs === undefined ? undefined : setInterval(() => void load(), intervalMs);
		return () => {
			isOver = true;
			leave();
			clearInterval(timer);
			clearTimeout(retry);
		};
	}, [path, intervalMs]);
	return shown.path === path && path !== undefined ? shown : {tag: ''};
};

/**
 * Returns a route's answer, read once per key. For answers that are expensive to make. The answer for the
 * previous key stays until the next one is there, with `isOld` set.
 */
export const useOnce = <Value>(
	path: Address<Value>,
	key: string,
): Shown<Value> & {readonly isOld: boolean} => {
	const [shown, show] = useState<Shown<Value> & {readonly path: string}>({path, tag: ''});
	const [newest, setNewest] = useState('');
	useEffect(() => {
		let isOver = false;
		let retry: ReturnType<typeof setTimeout> | undefined;
		const load = async (): Promise<void> => {
			const answer = await read(path);
			if (isOver) return;
			show(before => shownAfter(before, path, answer));
			setNewest(key);
			if (!answer.ok && isTransient(answer.problem)) retry = setTimeout(() => void load(), retryMs);
		};
		if (key !== '') void load();
		return () => {
			isOver = true;
			clearTimeout(retry);
		};
	}, [path, key]);
	return {...(shown.path === path && key !== '' ? shown : {tag: ''}), isOld: newest !== key};
};

import {useEffect, useState} from 'preact/hooks';
import {type Address, type Problem, read} from './api.ts';
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

export type Shown<Value> = {readonly value?: Value; readonly tag: string; readonly problem?: Problem};

/**
 * Returns a route's answer, and reads it again whenever the colony changes. `often` is a poll interval in
 * milliseconds, for routes that no event announces. Without an address it reads nothing.
 */
export const useView = <Value>(path: Address<Value> | undefined, intervalMs?: number): Shown<Value> => {
	const [shown, show] = useState<Shown<Value> & {readonly path: string | undefined}>({path, tag: ''});
	useEffect(() => {
		if (path === undefined) return;
		let isOver = false;
		let isReading = false;
		let isDue = false;
		const load = async (): Promise<void> => {
			isDue = isReading;
			if (isReading) return;
			isReading = true;
			const answer = await read(path);
			isReading = false;
			if (isOver) return;
			show(
				answer.ok ? {path, value: answer.value, tag: answer.tag} : {path, tag: '', problem: answer.problem},
			);
			if (isDue) void load();
		};
		void load();
		const leave = onRefresh(() => void load());
		const timer = intervalMs === undefined ? undefined : setInterval(() => void load(), intervalMs);
		return () => {
			isOver = true;
			leave();
			clearInterval(timer);
		};
	}, [path, intervalMs]);
	return shown.path === path ? shown : {tag: ''};
};

/** Returns a route's answer, read once per key. For answers that are expensive to make. */
export const useOnce = <Value>(path: Address<Value>, key: string): Shown<Value> => {
	const [shown, show] = useState<Shown<Value> & {readonly key: string}>({key: '', tag: ''});
	useEffect(() => {
		let isOver = false;
		if (key !== '')
			void read(path).then(answer => {
				if (isOver) return;
				show(
					answer.ok ? {key, value: answer.value, tag: answer.tag} : {key, tag: '', problem: answer.problem},
				);
			});
		return () => {
			isOver = true;
		};
	}, [path, key]);
	return shown.key === key ? shown : {tag: ''};
};

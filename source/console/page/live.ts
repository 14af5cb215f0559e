import {useEffect, useState} from 'preact/hooks';
import {type Address, type Problem, read} from './api.ts';
import {listenTo} from './listen.ts';

const listeners = new Set<() => void>();

/** Milliseconds that what comes together is waited for. */
const pause = 150;

let connection: 'open' | 'lost' = 'open';
export const connectionNow = (): typeof connection => connection;

/** Follows the colony's events; whoever shows a view reads it again. */
export const follow = (): void => {
	let isDue = false;
	const tell = (): void => {
		if (isDue) return;
		isDue = true;
		setTimeout(() => {
			isDue = false;
			refresh();
		}, pause);
	};
	const told = listenTo(isOpen => {
		connection = isOpen ? 'open' : 'lost';
		tell();
	});
	// Nothing of what was shown stays, and a link is asked for.
	void told.then(() => location.reload());
};

const onMove = (call: () => void): (() => void) => {
	listeners.add(call);
	return () => listeners.delete(call);
};

/** Has every view read again, after something was done. */
export const refresh = (): void => {
	for (const call of [...listeners]) call();
};

export type Shown<Value> = {readonly value?: Value; readonly tag: string; readonly problem?: Problem};

/**
 * What a route answers, again whenever the colony moves; `often` milliseconds where nothing says so. Nothing
 * without an address.
 */
export const useView = <Value>(path: Address<Value> | undefined, often?: number): Shown<Value> => {
	const [shown, show] = useState<Shown<Value> & {readonly path: string | undefined}>({path, tag: ''});
	useEffect(() => {
		if (path === undefined) return;
		let isOver = false;
		let isReading = false;
		let isDue = false;
		const look = async (): Promise<void> => {
			isDue = isReading;
			if (isReading) return;
			isReading = true;
			const answer = await read(path);
			isReading = false;
			if (isOver) return;
			show(
				answer.ok ? {path, value: answer.value, tag: answer.tag} : {path, tag: '', problem: answer.problem},
			);
			if (isDue) void look();
		};
		void look();
		const leave = onMove(() => void look());
		const timer = often === undefined ? undefined : setInterval(() => void look(), often);
		return () => {
			isOver = true;
			leave();
			clearInterval(timer);
		};
	}, [path, often]);
	return shown.path === path ? shown : {tag: ''};
};

/** What a route answers, once for each key: for what costs much to make. */
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

import type {Connection} from '../../source/ports/connection.ts';

/**
 * Creates two ends of a link in memory. Sent data arrives at once, in pieces of `piece` bytes, unless the
 * link is paused.
 */
export const createLinkedPair = (piece = Number.POSITIVE_INFINITY): readonly [Connection, Connection] => {
	const [there, back] = [createWay(piece), createWay(piece)];
	let isOver = false;
	const over = (): void => {
		if (isOver) return;
		isOver = true;
		for (const call of [...there.ends, ...back.ends]) call();
	};
	const linkOf = (out: Way, into: Way): Connection => ({
		send: bytes => {
			if (!isOver) out.push(bytes);
		},
		unsentBytes: out.size,
		onDrained: call => void out.taken.push(call),
		onData: into.listen,
		onEnd: call => void into.ends.push(call),
		pause: () => into.pause(true),
		resume: () => into.pause(false),
		end: () => out.whenEmpty(over),
		destroy: over,
	});
	return [linkOf(there, back), linkOf(back, there)];
};

type Way = ReturnType<typeof createWay>;

const createWay = (piece: number) => {
	const queue: Uint8Array[] = [];
	const taken: (() => void)[] = [];
	const ends: (() => void)[] = [];
	let hear: ((bytes: Uint8Array) => void) | undefined;
	let isPaused = false;
	let isBusy = false;
	let atEmpty = (): void => {};
	const deliver = (): void => {
		if (isBusy || hear === undefined) return;
		isBusy = true;
		let hasTaken = false;
		for (let [bytes] = queue; bytes !== undefined && !isPaused; [bytes] = queue) {
			const rest = bytes.subarray(piece);
			if (rest.length === 0) queue.shift();
			else queue[0] = rest;
			hasTaken = true;
			hear(bytes.subarray(0, piece));
		}
		isBusy = false;
		if (!hasTaken || queue.length > 0) return;
		for (const call of taken) call();
		atEmpty();
	};
	return {
		taken,
		ends,
		size: () => queue.reduce((sum, {length}) => sum + length, 0),
		push: (bytes: Uint8Array) => {
			if (bytes.length > 0) queue.push(bytes.slice());
			deliver();
		},
		listen: (call: (bytes: Uint8Array) => void) => {
			hear = call;
			deliver();
		},
		pause: (isNow: boolean) => {
			isPaused = isNow;
			deliver();
		},
		whenEmpty: (call: () => void) => {
			atEmpty = call;
			if (queue.length === 0) call();
		},
	};
};

/** Min milliseconds between two frames of a program: at most twenty a second. */
const frameIntervalMs = 50;
/** Milliseconds to wait for the rest of a frame, which a program writes in pieces. */
const settleMs = 5;
/** The same after a key press, since a person waits for the result. */
const inputSettleMs = 2;

export type FramePacer = {
	/** Requests a redraw. */
	readonly requestFrame: () => void;
	/** Makes the next requested frame skip the frame interval, since it shows the effect of a key. */
	readonly skipInterval: () => void;
	readonly stop: () => void;
};

/** Calls `draw` soon after a request, at most once per frame interval, plus once per key press. */
export const createFramePacer = (draw: () => void): FramePacer => {
	let last = Number.NEGATIVE_INFINITY;
	let scheduledTime = Number.POSITIVE_INFINITY;
	let timer: NodeJS.Timeout | undefined;
	let skipsInterval = false;
	const drawFrame = (): void => {
		scheduledTime = Number.POSITIVE_INFINITY;
		last = performance.now();
		draw();
	};
	return {
		requestFrame: () => {
			const now = performance.now();
			const dueTime = skipsInterval ? now + inputSettleMs : Math.max(now + settleMs, last + frameIntervalMs);
			skipsInterval = false;
			if (dueTime >= scheduledTime) return;
			clearTimeout(timer);
			scheduledTime = dueTime;
			timer = setTimeout(drawFrame, scheduledTime - now);
		},
		skipInterval: () => {
			skipsInterval = true;
		},
		stop: () => clearTimeout(timer),
	};
};

/** Milliseconds between two frames of a program: at most twenty a second. */
const framePause = 50;
/** What a program writes of one frame comes in pieces. */
const settling = 5;
/** The same of what answers a key, which somebody waits for. */
const answerSettling = 2;

export type Pace = {
	/** Has a frame drawn soon. */
	readonly ask: () => void;
	/** The next frame that is asked for shows what a key did, and waits for none before it. */
	readonly hurry: () => void;
	readonly stop: () => void;
};

/**
 * Calls `draw` soon after it was asked to, and no more often than frames are drawn, but for one for each key.
 */
export const createPace = (draw: () => void): Pace => {
	let last = Number.NEGATIVE_INFINITY;
	let due = Number.POSITIVE_INFINITY;
	let timer: NodeJS.Timeout | undefined;
	let isHurried = false;
	const begin = (): void => {
		due = Number.POSITIVE_INFINITY;
		last = performance.now();
		draw();
	};
	return {
		ask: () => {
			const now = performance.now();
			const wanted = isHurried ? now + answerSettling : Math.max(now + settling, last + framePause);
			isHurried = false;
			if (wanted >= due) return;
			clearTimeout(timer);
			due = wanted;
			timer = setTimeout(begin, due - now);
		},
		hurry: () => {
			isHurried = true;
		},
		stop: () => clearTimeout(timer),
	};
};

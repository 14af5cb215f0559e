/** Min milliseconds between two frames of a program: at most twenty a second. */
const framePause = 50;
/** Milliseconds to wait for the rest of a frame, which a program writes in pieces. */
const settling = 5;
/** The same after a key press, since a person waits for the result. */
const answerSettling = 2;

export type Pace = {
	/** Requests a redraw. */
	readonly ask: () => void;
	/** Makes the next requested frame skip the frame interval, since it shows the effect of a key. */
	readonly hurry: () => void;
	readonly stop: () => void;
};

/** Calls `draw` soon after a request, at most once per frame interval, plus once per key press. */
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

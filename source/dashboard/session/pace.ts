/** Milliseconds between two frames of a program: at most twenty a second. */
const framePause = 50;
/** What a program writes of one frame comes in pieces. */
const settling = 5;

/** Calls `draw` soon after it was asked to, and no more often than frames are drawn. */
export const createPace = (draw: () => void): {readonly ask: () => void; readonly stop: () => void} => {
	let last = Number.NEGATIVE_INFINITY;
	let timer: NodeJS.Timeout | undefined;
	return {
		ask: () => {
			timer ??= setTimeout(
				() => {
					timer = undefined;
					last = performance.now();
					draw();
				},
				Math.max(settling, last + framePause - performance.now()),
			);
		},
		stop: () => clearTimeout(timer),
	};
};

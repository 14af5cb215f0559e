/** A person's control of a recording that plays. */
export type PlayerKeys = {
	/** Waits so long, or longer while it is paused. Returns `left` when the person has left. */
	readonly wait: (durationMs: number) => Promise<'go on' | 'left'>;
	/** Releases the keyboard. */
	readonly stop: () => void;
};

type Keyboard = Pick<NodeJS.ReadStream, 'isTTY' | 'setRawMode' | 'on' | 'off' | 'resume' | 'pause'>;

/** Reads keys: space pauses and resumes, `.` plays one step, `q` and Ctrl+C leave, as does the signal. */
export const readPlayerKeys = (stdin: Keyboard, signal: AbortSignal): PlayerKeys => {
	let isPaused = false;
	let hasLeft = signal.aborted;
	let resume = (): void => {};
	const leave = (): void => {
		hasLeft = true;
		resume();
	};
	const keyActions: Readonly<Record<string, () => void>> = {
		' ': () => {
			isPaused = !isPaused;
			if (!isPaused) resume();
		},
		'.': () => {
			isPaused = true;
			resume();
		},
		q: leave,
		'\x03': leave,
	};
	const read = (bytes: Buffer): void => {
		// An escape sequence is the terminal's answer to the recorded program, not a key.
		if (bytes[0] === 0x1b) return;
		for (const key of bytes.toString()) keyActions[key]?.();
	};
	signal.addEventListener('abort', leave, {once: true});
	if (stdin.isTTY) {
		stdin.setRawMode(true);
		stdin.on('data', read);
		stdin.resume();
	}
	return {
		wait: async durationMs => {
			if ((durationMs > 0 || isPaused) && !hasLeft)
				await new Promise<void>(resolve => {
					const timer = setTimeout(() => {
						if (!isPaused) resume();
					}, durationMs);
					resume = () => {
						clearTimeout(timer);
						resolve();
					};
				});
			return hasLeft ? 'left' : 'go on';
		},
		stop: () => {
			signal.removeEventListener('abort', leave);
			if (!stdin.isTTY) return;
			stdin.off('data', read);
			stdin.setRawMode(false);
			stdin.pause();
		},
	};
};

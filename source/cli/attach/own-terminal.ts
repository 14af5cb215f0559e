/** The terminal in which this command was started. */
export type OwnTerminal = {
	readonly size: () => {readonly columns: number; readonly rows: number};
	/** Writes; false if the caller should wait for `onDrained`. */
	readonly write: (bytes: Uint8Array | string) => boolean;
	readonly onDrained: (call: () => void) => void;
	readonly onResized: (call: () => void) => void;
	/**
	 * Passes every key to the listener unchanged, including those that would signal this process. If the
	 * listener returns false, further input waits in the terminal until `goOn`.
	 */
	readonly read: (call: (bytes: Uint8Array) => boolean) => {
		readonly resume: () => void;
		readonly stop: () => void;
	};
};

/** Undefined if standard input or output is no terminal. */
export const ownTerminal = (): OwnTerminal | undefined => {
	const {stdin, stdout} = process;
	if (!stdin.isTTY || !stdout.isTTY) return undefined;
	return {
		size: () => ({columns: stdout.columns || 80, rows: stdout.rows || 24}),
		write: bytes => stdout.write(bytes),
		onDrained: call => void stdout.on('drain', call),
		onResized: call => void stdout.on('resize', call),
		read: call => {
			const handleBytes = (bytes: Uint8Array): void => {
				if (!call(bytes)) stdin.pause();
			};
			const resume = (): void => void stdin.resume();
			stdin.setRawMode(true);
			stdin.on('data', handleBytes);
			resume();
			return {
				resume,
				stop: () => {
					stdin.off('data', handleBytes);
					stdin.setRawMode(false);
					stdin.pause();
				},
			};
		},
	};
};

/** In milliseconds, below the timeout of a test. It only ends what hangs. */
export const timeoutMs = 600_000;

/**
 * Resolves with the promise. After `patience` it rejects with an error that states the expectation and the
 * current state.
 */
export const withTimeout = <Value>(promise: Promise<Value>, description: () => string): Promise<Value> => {
	let timer: NodeJS.Timeout;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`Timed out waiting for: ${description()}`)), timeoutMs);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

/**
 * The timeout in milliseconds for a machine with four times its capacity in work. It is below the timeout of
 * a test.
 */
export const timeoutMs = 170_000;

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

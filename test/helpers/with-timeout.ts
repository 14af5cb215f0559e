/**
 * Milliseconds that something may take on a machine that has four times as much to do as it can; less than a
 * test has.
 */
export const timeoutMs = 170_000;

/**
 * What the promise resolves to, or after `patience` an error that says what was waited for, and what there is
 * instead.
 */
export const withTimeout = <Value>(promise: Promise<Value>, description: () => string): Promise<Value> => {
	let timer: NodeJS.Timeout;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`This did not come: ${description()}`)), timeoutMs);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

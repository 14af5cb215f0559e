/**
 * Milliseconds that something may take on a machine that has four times as much to do as it can; less than a
 * test has.
 */
export const patience = 170_000;

/**
 * What the promise resolves to, or after `patience` an error that says what was waited for, and what there is
 * instead.
 */
export const inTime = <Value>(coming: Promise<Value>, missing: () => string): Promise<Value> => {
	let timer: NodeJS.Timeout;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`This did not come: ${missing()}`)), patience);
	});
	return Promise.race([coming, late]).finally(() => clearTimeout(timer));
};

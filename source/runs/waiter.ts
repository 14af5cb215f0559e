/** A wait that other code ends. A wake without a waiter is remembered, once. */
export const createWaiter = (signal: AbortSignal) => {
	let isAwake = false;
	let resume = () => {};
	const wake = (): void => {
		isAwake = true;
		resume();
	};
	signal.addEventListener('abort', wake, {once: true});
	return {
		wake,
		woken: async (): Promise<void> => {
			if (!isAwake)
				await new Promise<void>(resolve => {
					resume = resolve;
				});
			isAwake = false;
		},
	};
};

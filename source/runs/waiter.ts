/** A wait that other code ends. A wake without a waiter is remembered, once. */
export const createWaiter = (signal: AbortSignal) => {
	let isNotified = false;
	let resume = () => {};
	const notify = (): void => {
		isNotified = true;
		resume();
	};
	signal.addEventListener('abort', notify, {once: true});
	return {
		wake: notify,
		notified: async (): Promise<void> => {
			if (!isNotified)
				await new Promise<void>(resolve => {
					resume = resolve;
				});
			isNotified = false;
		},
	};
};

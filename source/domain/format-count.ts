/** `1 task`, `2 tasks`; `1 process`, `2 processes` with the plural named. */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
	`${count} ${count === 1 ? noun : plural}`;

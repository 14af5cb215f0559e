import {createInterface} from 'node:readline/promises';

/** True if a person may be at the terminal. */
export const canAsk = (): boolean => process.stdin.isTTY;

/**
 * Asks the person at the terminal. Undefined if standard input is no terminal, or ends. Throws when the
 * signal is aborted, as by Ctrl+C.
 */
export const askLine = async (question: string, signal: AbortSignal): Promise<string | undefined> => {
	if (!canAsk()) return undefined;
	const terminal = createInterface({input: process.stdin, output: process.stderr});
	// readline uses raw mode, in which Ctrl+C sends no signal.
	terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
	const ended = new Promise<undefined>(resolve => terminal.once('close', () => resolve(undefined)));
	let answer: string | undefined;
	try {
		answer = await Promise.race([terminal.question(question, {signal}), ended]);
		return answer;
	} finally {
		if (answer === undefined) process.stderr.write('\n');
		terminal.close();
	}
};

import {createInterface} from 'node:readline/promises';

/** A person may be at the terminal. */
export const canAsk = (): boolean => process.stdin.isTTY;

/**
 * Asks the person at the terminal; nothing where standard input is none, or it ends. Throws when the signal
 * comes, as by Ctrl+C.
 */
export const askLine = async (question: string, signal: AbortSignal): Promise<string | undefined> => {
	if (!canAsk()) return undefined;
	const terminal = createInterface({input: process.stdin, output: process.stderr});
	// The terminal passes no signal on while it hands over each key.
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

import {createInterface} from 'node:readline/promises';

/** A person may be at the terminal. */
export const canAsk = (): boolean => process.stdin.isTTY;

/** Asks the person at the terminal; nothing where standard input is none, or it ends. */
export const askLine = async (question: string): Promise<string | undefined> => {
	if (!canAsk()) return undefined;
	const terminal = createInterface({input: process.stdin, output: process.stderr});
	const ended = new Promise<undefined>(resolve => terminal.once('close', () => resolve(undefined)));
	try {
		return await Promise.race([terminal.question(question), ended]);
	} finally {
		terminal.close();
	}
};

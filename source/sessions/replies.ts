import type {Pty} from '../ports/pty.ts';

/** Bytes that a program which does not read is owed in answers of its terminal. */
const mostOwed = 64 * 1024;

/**
 * Gives the program what its terminal answers. One that goes on asking and does not read gets no more answers
 * until it does.
 */
export const createReplies = ({onTaken, unread, write}: Pick<Pty, 'onTaken' | 'unread' | 'write'>) => {
	let owed = 0;
	onTaken(() => {
		owed = 0;
	});
	return (text: string): void => {
		if (owed > mostOwed) return;
		write(new TextEncoder().encode(text));
		if (unread() > 0) owed += text.length;
	};
};

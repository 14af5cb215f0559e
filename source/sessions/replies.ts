import type {Pty} from '../ports/pty.ts';

/** Max bytes of terminal answers that wait for a program that does not read. */
const maxOwedBytes = 64 * 1024;

/**
 * Sends the terminal's answers to the program. A program that asks without reading gets no more answers until
 * it reads.
 */
export const createReplies = ({onTaken, unread, write}: Pick<Pty, 'onTaken' | 'unread' | 'write'>) => {
	let owed = 0;
	onTaken(() => {
		owed = 0;
	});
	return (text: string): void => {
		if (owed > maxOwedBytes) return;
		write(new TextEncoder().encode(text));
		if (unread() > 0) owed += text.length;
	};
};

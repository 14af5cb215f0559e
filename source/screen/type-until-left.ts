import {createDetachFilter, type Typed} from './detach-filter.ts';
import type {DetachKey} from './detach-key.ts';

type Keyboard = {
	/** What goes to the program; false when more should wait. */
	readonly type: (bytes: Uint8Array) => boolean;
	/**
	 * The person has left: nothing more is to be read. What they typed after the key is not for the program.
	 */
	readonly leave: (after?: Uint8Array) => void;
};

/** Within it a second such key is one for the program. */
const secondKeyMilliseconds = 300;
/** The rest of a sequence is there by then; Esc, with which every one begins, waits no longer. */
const restMilliseconds = 20;
/** A paste of which nothing comes for so long has lost its end. */
const pasteMilliseconds = 1000;

/**
 * Reads a person's keyboard for a program, until they leave it by the key. What it returns answers false when
 * more should wait.
 */
export const typeUntilLeft = (key: DetachKey, {type, leave}: Keyboard): ((bytes: Uint8Array) => boolean) => {
	const filter = createDetachFilter(key);
	let leaving: NodeJS.Timeout | undefined;
	let flushing: NodeJS.Timeout | undefined;
	let pasting: NodeJS.Timeout | undefined;
	const take = ({bytes, leaves, holds, pastes, after}: Typed): boolean => {
		clearTimeout(flushing);
		clearTimeout(pasting);
		if (pastes) pasting = setTimeout(filter.endPaste, pasteMilliseconds);
		const hasRoom = bytes.length === 0 || type(bytes);
		if (holds) flushing = setTimeout(() => take(filter.flush()), restMilliseconds);
		if (leaves === 'perhaps') {
			leaving ??= setTimeout(() => leave(), secondKeyMilliseconds);
			return hasRoom;
		}
		clearTimeout(leaving);
		leaving = undefined;
		if (leaves === 'yes') leave(after);
		return hasRoom;
	};
	return bytes => take(filter.read(bytes));
};

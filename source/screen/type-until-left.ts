import {createDetachFilter, type FilteredInput} from './detach-filter.ts';
import type {DetachKey} from './detach-key.ts';

type Keyboard = {
	/** Sends input to the program. Returns false if more input should wait. */
	readonly type: (bytes: Uint8Array) => boolean;
	/**
	 * The person has left: read no more input. `after` is their input after the key, which is not for the
	 * program.
	 */
	readonly leave: (after?: Uint8Array) => void;
};

/** Max milliseconds between two presses of the key for the second to go to the program. */
const secondKeyMs = 300;
/**
 * Milliseconds to wait for the rest of a sequence. Esc, with which every sequence begins, waits no longer.
 */
const restTimeoutMs = 20;
/** Milliseconds without input after which a paste has lost its end. */
const pasteTimeoutMs = 1000;

/**
 * Reads a person's keyboard for a program, until they leave it with the key. The returned function returns
 * false if more input should wait.
 */
export const forwardUntilDetached = (
	key: DetachKey,
	{type, leave}: Keyboard,
): ((bytes: Uint8Array) => boolean) => {
	const filter = createDetachFilter(key);
	let leaving: NodeJS.Timeout | undefined;
	let flushing: NodeJS.Timeout | undefined;
	let pasting: NodeJS.Timeout | undefined;
	const take = ({bytes, leaves, holds, pastes, after}: FilteredInput): boolean => {
		clearTimeout(flushing);
		clearTimeout(pasting);
		if (pastes) pasting = setTimeout(filter.endPaste, pasteTimeoutMs);
		const hasRoom = bytes.length === 0 || type(bytes);
		if (holds) flushing = setTimeout(() => take(filter.flush()), restTimeoutMs);
		if (leaves === 'perhaps') {
			leaving ??= setTimeout(() => leave(), secondKeyMs);
			return hasRoom;
		}
		clearTimeout(leaving);
		leaving = undefined;
		if (leaves === 'yes') leave(after);
		return hasRoom;
	};
	return bytes => take(filter.read(bytes));
};

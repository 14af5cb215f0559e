import {createDetachFilter, type Typed} from './detach-filter.ts';
import type {DetachKey} from './detach-key.ts';

type Keyboard = {
	/** What goes to the program; false when more should wait. */
	readonly type: (bytes: Uint8Array) => boolean;
	/** The person has left: nothing more is to be read. */
	readonly leave: () => void;
};

/** Within it a second such key is one for the program. */
const secondKeyMilliseconds = 300;
/** The rest of a sequence is there by then; Esc, with which every one begins, waits no longer. */
const restMilliseconds = 20;

/** Reads a person's keyboard for a program, until they leave it by the key. What it returns answers false when more should wait. */
export const typeUntilLeft = (key: DetachKey, {type, leave}: Keyboard): ((bytes: Uint8Array) => boolean) => {
	const filter = createDetachFilter(key);
	let leaving: NodeJS.Timeout | undefined;
	let flushing: NodeJS.Timeout | undefined;
	const take = ({bytes, leaves, holds}: Typed): boolean => {
		clearTimeout(flushing);
		const hasRoom = bytes.length === 0 || type(bytes);
		if (holds) flushing = setTimeout(() => take(filter.flush()), restMilliseconds);
		if (leaves === 'perhaps') {
			leaving ??= setTimeout(leave, secondKeyMilliseconds);
			return hasRoom;
		}
		clearTimeout(leaving);
		leaving = undefined;
		if (leaves === 'yes') leave();
		return hasRoom;
	};
	return bytes => take(filter.read(bytes));
};

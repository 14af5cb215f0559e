import {type DetachKey, detachEvent, mayBecome} from './detach-key.ts';
import {isModifier, readKeyEvent} from './key-event.ts';

/** A person's input, and whether it requests to leave. */
export type FilteredInput = {
	/** Input for the program, as it was typed. */
	readonly bytes: Uint8Array;
	/**
	 * `perhaps`: leave unless the key follows once more within a moment, which the caller measures. After `yes`
	 * the filter must not be used again.
	 */
	readonly leaves: 'not' | 'perhaps' | 'yes';
	/** True while the beginning of a sequence is held that may become the key. */
	readonly holds: boolean;
	/** True while a paste has begun and not ended. */
	readonly pastes: boolean;
	/** With `yes`: the input after the key. */
	readonly after?: Uint8Array;
};

export type DetachFilter = {
	/** Reads bytes, which may be split anywhere. */
	readonly read: (bytes: Uint8Array) => FilteredInput;
	/**
	 * Call it if nothing follows the held bytes: the program gets them, and they no longer count as the key.
	 */
	readonly flush: () => FilteredInput;
	/** Call it if the end of a paste does not come: keys count as keys again. */
	readonly endPaste: () => void;
};

/**
 * Removes the key from the input. Pressed once, it requests to leave; pressed twice in a row, the second
 * press goes to the program. Releasing it and holding it down are no second press, and pasted text is no key.
 */
export const createDetachFilter = (key: DetachKey): DetachFilter => {
	/** An incomplete sequence, and how many characters of it the program has. */
	let remaining = '';
	let passedOn = 0;
	let isPasting = false;
	let isPending = false;

	const toResult = (text: string): FilteredInput => ({
		...{bytes: Buffer.from(text, 'latin1'), leaves: isPending ? 'perhaps' : 'not'},
		...{holds: !isPending && remaining.length > passedOn, pastes: isPasting},
	});
	const leave = (text: string, after: string): FilteredInput => ({
		...{bytes: Buffer.from(text, 'latin1'), leaves: 'yes', after: Buffer.from(after, 'latin1')},
		...{holds: false, pastes: false},
	});
	return {
		read: bytes => {
			const found = [...(remaining + latin1Of(bytes)).matchAll(pieces)];
			const before = passedOn;
			let passed = '';
			remaining = '';
			passedOn = 0;
			for (const [index, {0: piece, groups}] of found.entries()) {
				const mayBeKey = !isPasting && (index > 0 || before === 0);
				if (groups?.unfinished !== undefined) {
					remaining = piece;
					if (isPending || (mayBeKey && mayBecome(key, piece))) break;
					passedOn = piece.length;
				}
				const event = mayBeKey ? detachEvent(key, piece) : undefined;
				if (isPending && event === undefined && isPress(piece)) {
					const after = found.slice(index).map(([each]) => each);
					return leave(passed.slice(before), after.join(''));
				}
				const isTaken = event === 'press' ? !isPending : isPending && event !== undefined;
				if (event === 'press') isPending = !isPending;
				if (piece === pasteStart) isPasting = true;
				if (piece === pasteEnd) isPasting = false;
				if (!isTaken) passed += piece;
			}
			return toResult(passed.slice(before));
		},
		flush: () => {
			const held = remaining.slice(passedOn);
			passedOn = remaining.length;
			return toResult(held);
		},
		endPaste: () => {
			isPasting = false;
		},
	};
};

const esc = '\x1b';
const pasteStart = `${esc}[200~`;
const pasteEnd = `${esc}[201~`;

/** Matches complete sequences, an incomplete one at the end, single control characters, and text. */
const sequence = `${esc}\\[[0-?]{0,60}[ -/]{0,2}`;
const pieces = new RegExp(
	`${sequence}[@-~]|(?<unfinished>(?:${sequence}|${esc})$)|[\\0-\\x1f]|[^\\0-\\x1f]+`,
	'g',
);

/**
 * True for a pressed key or a paste. False for a release, a modifier by itself, and reports of mouse, focus
 * or terminal.
 */
const isPress = (piece: string): boolean => {
	if (!piece.startsWith(`${esc}[`)) return true;
	const event = readKeyEvent(piece);
	return event !== undefined && event.is !== 'release' && !isModifier(event);
};

const latin1Of = ({buffer, byteOffset, length}: Uint8Array): string =>
	Buffer.from(buffer, byteOffset, length).toString('latin1');

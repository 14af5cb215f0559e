import {type DetachKey, detachEvent, mayBecome} from './detach-key.ts';
import {isModifier, readKeyEvent} from './key-event.ts';

/** What a person typed, and whether they ask to leave. */
export type Typed = {
	/** What the program gets, as it was typed. */
	readonly bytes: Uint8Array;
	/**
	 * `perhaps`: unless the key follows once more within a moment, which the caller measures. After `yes`
	 * nothing more is to be read.
	 */
	readonly leaves: 'not' | 'perhaps' | 'yes';
	/** The beginning of a sequence is held that may become the key. */
	readonly holds: boolean;
	/** A paste has begun, and has not ended. */
	readonly pastes: boolean;
	/** With `yes`: what was typed after the key. */
	readonly after?: Uint8Array;
};

export type DetachFilter = {
	/** Bytes may be split anywhere. */
	readonly read: (bytes: Uint8Array) => Typed;
	/** Nothing followed what is held: the program gets it, and it is no key any more. */
	readonly flush: () => Typed;
	/** The end of a paste did not come: keys are keys again. */
	readonly endPaste: () => void;
};

/**
 * Takes the key out of what is typed: once it asks to leave, twice in a row the second goes to the program.
 * Releasing it and holding it down are no second press, and what is pasted is no key.
 */
export const createDetachFilter = (key: DetachKey): DetachFilter => {
	/** A sequence that is not whole, and how much of it the program has. */
	let rest = '';
	let given = 0;
	let isPasting = false;
	let isPending = false;

	const tell = (text: string): Typed => ({
		...{bytes: Buffer.from(text, 'latin1'), leaves: isPending ? 'perhaps' : 'not'},
		...{holds: !isPending && rest.length > given, pastes: isPasting},
	});
	const leave = (text: string, after: string): Typed => ({
		...{bytes: Buffer.from(text, 'latin1'), leaves: 'yes', after: Buffer.from(after, 'latin1')},
		...{holds: false, pastes: false},
	});
	return {
		read: bytes => {
			const found = [...(rest + latin1Of(bytes)).matchAll(pieces)];
			const before = given;
			let passed = '';
			rest = '';
			given = 0;
			for (const [index, {0: piece, groups}] of found.entries()) {
				const mayBeKey = !isPasting && (index > 0 || before === 0);
				if (groups?.unfinished !== undefined) {
					rest = piece;
					if (isPending || (mayBeKey && mayBecome(key, piece))) break;
					given = piece.length;
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
			return tell(passed.slice(before));
		},
		flush: () => {
			const held = rest.slice(given);
			given = rest.length;
			return tell(held);
		},
		endPaste: () => {
			isPasting = false;
		},
	};
};

const esc = '\x1b';
const pasteStart = `${esc}[200~`;
const pasteEnd = `${esc}[201~`;

/** Whole sequences, one that is not whole yet at the end, control characters one by one, and text. */
const sequence = `${esc}\\[[0-?]{0,60}[ -/]{0,2}`;
const pieces = new RegExp(
	`${sequence}[@-~]|(?<unfinished>(?:${sequence}|${esc})$)|[\\0-\\x1f]|[^\\0-\\x1f]+`,
	'g',
);

/**
 * A key went down, or something was pasted: it is no release, no modifier by itself, and nothing of mouse,
 * focus or terminal.
 */
const isPress = (piece: string): boolean => {
	if (!piece.startsWith(`${esc}[`)) return true;
	const event = readKeyEvent(piece);
	return event !== undefined && event.is !== 'release' && !isModifier(event);
};

const latin1Of = ({buffer, byteOffset, length}: Uint8Array): string =>
	Buffer.from(buffer, byteOffset, length).toString('latin1');

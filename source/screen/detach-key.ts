/** What a person typed, and whether they ask to leave. */
export type Typed = {readonly bytes: Uint8Array; readonly leaves: 'not' | 'perhaps' | 'yes'};

/** Ctrl and a key of these, as a terminal sends them: plainly, or where the program has asked for more exact keys. */
export type DetachKey = {readonly name: string; readonly codes: readonly Uint8Array[]};

/** @param letter of `@A-Z[\]^_`, of which Ctrl makes a code below the blank */
export const ctrlKey = (letter: string): DetachKey => {
	const code = letter.toUpperCase().charCodeAt(0);
	const plain = letter.toLowerCase().charCodeAt(0);
	return {
		name: `Ctrl+${letter.toUpperCase()}`,
		codes: [
			Uint8Array.of(code & 0x1f),
			...[`\u001b[${plain};5u`, `\u001b[${plain};5:1u`, `\u001b[27;5;${plain}~`].map(encode),
		],
	};
};

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * Takes the key out of what is typed: once it asks to leave, twice in a row it is sent once. Whether a second one follows is known
 * after a moment, which the caller measures.
 */
export const createDetachFilter = ({codes}: DetachKey): ((bytes: Uint8Array) => Typed) => {
	const [plain = new Uint8Array()] = codes;
	let isPending = false;
	return bytes => {
		const passed: Uint8Array[] = [];
		let rest = bytes;
		while (rest.length > 0) {
			const found = firstOf(rest, codes);
			const before = rest.subarray(0, found?.at ?? rest.length);
			// Whoever types on has left.
			if (isPending && before.length > 0) return {bytes: joined(passed), leaves: 'yes'};
			passed.push(before);
			if (found === undefined) break;
			if (isPending) passed.push(plain);
			isPending = !isPending;
			rest = rest.subarray(found.at + found.length);
		}
		return {bytes: joined(passed), leaves: isPending ? 'perhaps' : 'not'};
	};
};

const firstOf = (bytes: Uint8Array, codes: readonly Uint8Array[]) => {
	const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	const found = codes
		.map(code => ({at: all.indexOf(code), length: code.length}))
		.filter(({at}) => at >= 0)
		.toSorted((one, other) => one.at - other.at);
	return found[0];
};

const joined = (pieces: readonly Uint8Array[]): Uint8Array => Buffer.concat(pieces);

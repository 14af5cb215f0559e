/** Effect of a keystroke on the line that a person types. */
export type Stroke = {readonly type: 'text'} | {readonly type: 'submit'; readonly line: string};

export type Typing = {
	/**
	 * Yields the keystrokes that these bytes complete; the bytes may be split anywhere. A keystroke takes
	 * effect when the next one is requested: `text` comes before its text is part of the line.
	 */
	readonly push: (bytes: Uint8Array) => Generator<Stroke>;
	/** Returns the text typed since the last submit. */
	readonly line: () => string;
};

/**
 * Max characters. Text beyond is not kept. Neither is the line that is cut there, since its end could be a
 * part of a secret.
 */
const maxLineLength = 16 * 1024;
const maxSequenceLength = 256;
const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';

/**
 * Reads the input of a program as a line editor does: text, erasing, pastes. Other sequences are not text.
 */
export const createTyping = (): Typing => {
	const decoder = new TextDecoder();
	let line = '';
	let sequence = '';
	let isPasting = false;

	function* takeSequence(character: string): Generator<Stroke> {
		sequence = character === '\x1b' && !isString(sequence) ? character : sequence + character;
		if (!isComplete(sequence)) return;
		const whole = sequence;
		sequence = '';
		if (whole === pasteStart) isPasting = true;
		else if (whole === pasteEnd) isPasting = false;
		else if (whole === '\x1b\r' || whole === '\x1b\n') yield* insert('\n');
	}
	function* insert(text: string): Generator<Stroke> {
		yield {type: 'text'};
		if (line.length < maxLineLength) line += text;
	}
	function* control(character: string): Generator<Stroke> {
		if (isPasting) {
			if (character === '\r' || character === '\n' || character === '\t')
				yield* insert(character === '\t' ? '\t' : '\n');
		} else if (character === '\r' || character === '\n') {
			yield {type: 'submit', line: line.length < maxLineLength ? line : wholeLines(line)};
			line = '';
		} else line = erasers[character]?.(line) ?? line;
	}
	return {
		push: function* (bytes) {
			for (const character of decoder.decode(bytes, {stream: true})) {
				if (sequence !== '' || character === '\x1b') yield* takeSequence(character);
				else if (character < ' ' || character === '\x7f') yield* control(character);
				else yield* insert(character);
			}
		},
		line: () => line,
	};
};

const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);

const withoutLast = (line: string): string => [...line].slice(0, -1).join('');

/** Backspace, Ctrl+W, and the keys that clear the line: Ctrl+C, Ctrl+U. */
const erasers: Readonly<Record<string, (line: string) => string>> = {
	'\x7f': withoutLast,
	'\b': withoutLast,
	'\x17': line => line.trimEnd().replace(/\S+$/, ''),
	'\x03': () => '',
	'\x15': () => '',
};

/**
 * True for OSC, DCS, APC, PM and SOS, the only kind of sequence that may contain an escape before its end.
 */
const isString = (sequence: string): boolean => sequence !== '' && ']P_^X'.includes(sequence[1] ?? ' ');

/** True if a sequence from a keyboard or a terminal is complete, or too long to ever end. */
const isComplete = (sequence: string): boolean => {
	const [, introducer = ''] = sequence;
	const last = sequence.at(-1) ?? '';
	if (sequence.length < 2) return false;
	if (sequence.length >= maxSequenceLength) return true;
	if (introducer === '[') return sequence.length > 2 && last >= '@' && last <= '~';
	if (introducer === 'O') return sequence.length > 2;
	if (isString(sequence)) return last === '\x07' || sequence.endsWith('\x1b\\');
	return true;
};

/** True for a terminal's own report that its window has gained or lost the focus. */
export const isFocusReport = (bytes: Uint8Array): boolean =>
	bytes.length === 3 && bytes[0] === 0x1b && bytes[1] === 0x5b && (bytes[2] === 0x49 || bytes[2] === 0x4f);

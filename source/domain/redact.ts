/** Replaces every known secret in a text. */
export type Redactor = (text: string) => string;

/** The text that replaces a secret. */
export const redacted = '[redacted]';

/** Shorter values are not redacted: they could be ordinary words. */
const minSecretLength = 6;

/**
 * Creates a redactor of these values: as they are, escaped as in JSON, and in base64 at any offset
 * (docs/reliability.md I12). It scans the text once, without what it inserted.
 */
export const createRedactor = (values: Iterable<string>): Redactor => {
	const encodings = encodingsOfAll(values);
	if (encodings.length === 0) return text => text;
	const pattern = new RegExp(encodings.map(escapeForPattern).join('|'), 'g');
	return text => text.replace(pattern, redacted);
};

/** Redacts one text that arrives in pieces, split anywhere. */
export type RedactorOfPieces = {
	/**
	 * Takes the next piece, and returns the redacted text that is complete now. Keeps back an end that may be
	 * the start of a secret.
	 */
	readonly push: (piece: string) => string;
	/** Returns the held-back end after the last piece. */
	readonly end: () => string;
};

export const createRedactorOfPieces = (values: readonly string[]): RedactorOfPieces => {
	const redact = createRedactor(values);
	const encodings = encodingsOfAll(values);
	let held = '';
	return {
		push: piece => {
			const text = redact(held + piece);
			const end = text.length - Math.max(0, ...encodings.map(encoding => overlap(text, encoding)));
			held = text.slice(end);
			return text.slice(0, end);
		},
		end: () => {
			const rest = held;
			held = '';
			return rest;
		},
	};
};

/**
 * Extra length to read or keep past a cut, in bytes or characters. The text is redacted before it is cut, so
 * that a secret at the cut is found whole.
 */
export const redactionMargin = 8 * 1024;

/** Length of the longest end of the text that is a proper prefix of `encoding`. */
const overlap = (text: string, encoding: string): number => {
	const start = Math.max(0, text.length - encoding.length + 1);
	for (let at = start; at < text.length; at++)
		if (encoding.startsWith(text.slice(at))) return text.length - at;
	return 0;
};

/** All encodings of the values, without short ones. Longest first, since one may be a prefix of another. */
const encodingsOfAll = (values: Iterable<string>): string[] =>
	[...new Set([...values].filter(value => value.length >= minSecretLength).flatMap(encodingsOf))].toSorted(
		(one, other) => other.length - one.length,
	);

/** Fields that the ledger depends on: ids and values that hive itself assigned. */
const structural: ReadonlySet<string> = new Set(['kind', 'taskId', 'agentId', 'bee', 'status', 'replaces']);

/** Redacts every text in a JSON value, including field names; structural fields stay. */
export const redactDeep = (redact: Redactor, value: unknown): unknown => {
	if (typeof value === 'string') return redact(value);
	if (Array.isArray(value)) return value.map(item => redactDeep(redact, item));
	return typeof value === 'object' && value !== null ? redactFields(redact, value) : value;
};

/** Redacts the fields of one object, as `redactDeep` does. */
export const redactFields = (redact: Redactor, fields: object): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [
			redact(name),
			structural.has(name) && typeof value === 'string' ? value : redactDeep(redact, value),
		]),
	);

const encodingsOf = (value: string): string[] => {
	const base64 = [0, 1, 2].map(offset => base64Core(value, offset));
	return [
		value,
		JSON.stringify(value).slice(1, -1),
		...base64,
		...base64.map(text => text.replaceAll('+', '-').replaceAll('/', '_')),
	].filter(encoding => encoding.length >= minSecretLength);
};

/**
 * Base64 of the value if `offset` bytes precede it in its group of three. Characters that also depend on
 * other bytes are left out.
 */
const base64Core = (value: string, offset: number): string => {
	const bytes = new TextEncoder().encode(value);
	const padded = new Uint8Array(offset + bytes.length);
	padded.set(bytes, offset);
	const text = btoa(String.fromCharCode(...padded));
	return text.slice(Math.ceil((offset * 8) / 6), Math.floor((padded.length * 8) / 6));
};

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Replaces every known secret in a text. */
export type Redactor = (text: string) => string;

/** The text that replaces a secret. */
export const redacted = '[redacted]';

/** Shorter values are not redacted, since they are also ordinary words. */
const minSecretLength = 6;

/**
 * Replaces these values as they are, as JSON writes them, and in base64 at any alignment (docs/reliability.md
 * I12). One pass over the text; replacements are not scanned again.
 */
export const createRedactor = (values: Iterable<string>): Redactor => {
	const forms = formsOfAll(values);
	if (forms.length === 0) return text => text;
	const pattern = new RegExp(forms.map(escapeForPattern).join('|'), 'g');
	return text => text.replace(pattern, redacted);
};

/** Redacts one text that arrives in pieces, split anywhere. */
export type RedactorOfPieces = {
	/**
	 * Returns the redacted text so far. An end that could be the beginning of a secret is held back for the
	 * next piece.
	 */
	readonly push: Redactor;
	/** Returns the held-back end after the last piece. */
	readonly end: () => string;
};

export const createRedactorOfPieces = (values: readonly string[]): RedactorOfPieces => {
	const redact = createRedactor(values);
	const forms = formsOfAll(values);
	let held = '';
	return {
		push: piece => {
			const text = redact(held + piece);
			const end = text.length - Math.max(0, ...forms.map(form => overlap(text, form)));
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
 * How much to read or keep beyond the place where a text is cut, in bytes or characters. A secret at that
 * place is then still whole when it is searched for.
 */
export const redactionMargin = 8 * 1024;

/** The number of characters at the end of the text that begin the form without completing it. */
const overlap = (text: string, form: string): number => {
	const start = Math.max(0, text.length - form.length + 1);
	for (let at = start; at < text.length; at++) if (form.startsWith(text.slice(at))) return text.length - at;
	return 0;
};

/** Longest first, since a form may be the beginning of another. */
const formsOfAll = (values: Iterable<string>): string[] =>
	[...new Set([...values].filter(value => value.length >= minSecretLength).flatMap(formsOf))].toSorted(
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

/** The fields of one object, redacted like `redactDeep`. */
export const redactFields = (redact: Redactor, fields: object): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [
			redact(name),
			structural.has(name) && typeof value === 'string' ? value : redactDeep(redact, value),
		]),
	);

const formsOf = (value: string): string[] => {
	const base64 = [0, 1, 2].map(offset => base64Inside(value, offset));
	return [
		value,
		JSON.stringify(value).slice(1, -1),
		...base64,
		...base64.map(text => text.replaceAll('+', '-').replaceAll('/', '_')),
	].filter(form => form.length >= minSecretLength);
};

/**
 * The base64 characters that depend on the value alone, if it begins that many bytes after a group of three.
 */
const base64Inside = (value: string, offset: number): string => {
	const bytes = new TextEncoder().encode(value);
	const padded = new Uint8Array(offset + bytes.length);
	padded.set(bytes, offset);
	const text = btoa(String.fromCharCode(...padded));
	return text.slice(Math.ceil((offset * 8) / 6), Math.floor((padded.length * 8) / 6));
};

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

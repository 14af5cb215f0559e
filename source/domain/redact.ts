/** Replaces every known secret in a text. */
export type Redactor = (text: string) => string;

/** What stands where a secret was. */
export const redacted = '[redacted]';

/** Shorter values are also ordinary words, so they are let through. */
const shortest = 6;

/**
 * Replaces the whole values given, as they are, as JSON writes them, and in base64 at any alignment
 * (docs/reliability.md I12). One pass over the text; what was put in is not looked at again.
 */
export const createRedactor = (values: Iterable<string>): Redactor => {
	const forms = formsOfAll(values);
	if (forms.length === 0) return text => text;
	const pattern = new RegExp(forms.map(escapeForPattern).join('|'), 'g');
	return text => text.replace(pattern, redacted);
};

/** Redacts one text that comes in pieces, split anywhere. */
export type RedactorOfPieces = {
	/** What is known of the text by now: the end that a secret could begin with waits for the next piece. */
	readonly push: Redactor;
	/** What waited, when nothing more comes. */
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
 * Read, or kept, beyond where a text is cut, in bytes or characters: the secret that stands there is whole
 * when it is looked for.
 */
export const redactionMargin = 8 * 1024;

/** How many characters at the end of the text are the beginning of the form, and not all of it. */
const overlap = (text: string, form: string): number => {
	const start = Math.max(0, text.length - form.length + 1);
	for (let at = start; at < text.length; at++) if (form.startsWith(text.slice(at))) return text.length - at;
	return 0;
};

/** Longest first: a form may be the beginning of another. */
const formsOfAll = (values: Iterable<string>): string[] =>
	[...new Set([...values].filter(value => value.length >= shortest).flatMap(formsOf))].toSorted(
		(one, other) => other.length - one.length,
	);

/** Fields by which the ledger finds its way: ids and words that hive gave itself. */
const structural: ReadonlySet<string> = new Set(['kind', 'taskId', 'agentId', 'bee', 'status', 'replaces']);

/** Every text in a value from JSON, names of fields too, redacted; structural fields stay. */
export const redactDeep = (redact: Redactor, value: unknown): unknown => {
	if (typeof value === 'string') return redact(value);
	if (Array.isArray(value)) return value.map(item => redactDeep(redact, item));
	return typeof value === 'object' && value !== null ? redactFields(redact, value) : value;
};

/** The fields of one object, redacted as `redactDeep` has it. */
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
	].filter(form => form.length >= shortest);
};

/** The base64 characters that a value alone decides when it stands that many bytes after a group of three. */
const base64Inside = (value: string, offset: number): string => {
	const bytes = new TextEncoder().encode(value);
	const padded = new Uint8Array(offset + bytes.length);
	padded.set(bytes, offset);
	const text = btoa(String.fromCharCode(...padded));
	return text.slice(Math.ceil((offset * 8) / 6), Math.floor((padded.length * 8) / 6));
};

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

type Entry = {readonly at: string; readonly role: string; readonly content: string};

/** Prefix of the person's lines, and of hive's own lines. */
const marks: Readonly<Record<string, string>> = {user: '> ', agent: '', system: '-- '};

/** Returns the entries of a transcript, or of a part of it. Torn and malformed lines are left out. */
export const readTranscript = (text: string): readonly Entry[] =>
	text.split('\n').flatMap(line => {
		try {
			const value: unknown = JSON.parse(line);
			return isEntry(value) ? [value] : [];
		} catch {
			return [];
		}
	});

/** Returns an entry of a transcript as lines for people; none for a malformed entry. */
export const readTranscriptEntry = (entry: unknown): readonly string[] =>
	isEntry(entry) ? entry.content.split('\n').map(line => `${marks[entry.role]}${line}`) : [];

const isEntry = (value: unknown): value is Entry => {
	const {at, role, content}: Record<string, unknown> = {...Object(value)};
	return (
		typeof at === 'string' &&
		typeof role === 'string' &&
		Object.hasOwn(marks, role) &&
		typeof content === 'string'
	);
};

type Entry = {readonly role: string; readonly content: string};

/** What stands before what a person said, and before hive's own lines. */
const marks: Readonly<Record<string, string>> = {user: '> ', agent: '', system: '-- '};

/** The entries of a transcript, or of a part of it. What is torn or not of the form is left out. */
export const readTranscript = (text: string): readonly Entry[] =>
	text.split('\n').flatMap(line => {
		try {
			const value: unknown = JSON.parse(line);
			return isEntry(value) ? [value] : [];
		} catch {
			return [];
		}
	});

/** An entry of a transcript as lines for people. What is not of the form is left out. */
export const readTranscriptEntry = (entry: unknown): readonly string[] =>
	isEntry(entry) ? entry.content.split('\n').map(line => `${marks[entry.role]}${line}`) : [];

const isEntry = (value: unknown): value is Entry => {
	const {role, content}: Record<string, unknown> = {...Object(value)};
	return typeof role === 'string' && Object.hasOwn(marks, role) && typeof content === 'string';
};

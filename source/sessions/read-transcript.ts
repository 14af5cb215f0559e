/** What stands before what a person said, and before hive's own lines. */
const marks: Readonly<Record<string, string>> = {user: '> ', agent: '', system: '-- '};

/** An entry of a transcript as lines for people. What is not of the form is left out. */
export const readTranscriptEntry = ({
	role,
	content,
}: Readonly<Record<string, unknown>>): readonly string[] => {
	const mark = typeof role === 'string' && Object.hasOwn(marks, role) ? marks[role] : undefined;
	if (mark === undefined || typeof content !== 'string') return [];
	return content.split('\n').map(line => `${mark}${line}`);
};

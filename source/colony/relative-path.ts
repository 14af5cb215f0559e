/**
 * Normalizes a path below its base to `a/b`, or `.` for the base itself. Undefined if it is absolute, leaves
 * the base, or could be read as a flag.
 */
export const relativePath = (text: string): string | undefined => {
	if (text === '' || /^[/\\~-]|^[A-Za-z]:/.test(text) || /[\\\p{Cc}]/u.test(text)) return undefined;
	const parts = text.split('/').filter(part => part !== '' && part !== '.');
	if (parts.includes('..')) return undefined;
	return parts.length === 0 ? '.' : parts.join('/');
};

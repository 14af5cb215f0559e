/**
 * A path below its base as `a/b`, `.` for the base itself; nothing when it is absolute, climbs out, or could
 * be read as a flag.
 */
export const relativePath = (text: string): string | undefined => {
	if (text === '' || /^[/\\~-]|^[A-Za-z]:/.test(text) || /[\\\p{Cc}]/u.test(text)) return undefined;
	const parts = text.split('/').filter(part => part !== '' && part !== '.');
	if (parts.includes('..')) return undefined;
	return parts.length === 0 ? '.' : parts.join('/');
};

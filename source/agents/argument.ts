/** Linux limits an argument or a variable to 128 KiB, including its terminator (docs/reliability.md I16). */
const maxBytes = 128 * 1024 - 1024;

export const isTooLong = (text: string): boolean => Buffer.byteLength(text) > maxBytes;

/**
 * Makes a text one argument of a program. It is never read as a flag, has no NUL, and fits. A longer text is
 * replaced by a pointer to its file.
 */
export const textArgument = (text: string, file: string): string => {
	const clean = text.replaceAll('\0', '\uFFFD');
	if (isTooLong(clean))
		return `Your instructions are too long for a command line. Read all of ${file} and do what it says. Git ignores it: where a tool refuses to read it for that, use cat.`;
	return clean.startsWith('-') ? `\n${clean}` : clean;
};

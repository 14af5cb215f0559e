/** Linux takes at most 128 KiB in one argument or variable, its end included (docs/reliability.md I16). */
const maxBytes = 128 * 1024 - 1024;

export const isTooLong = (text: string): boolean => Buffer.byteLength(text) > maxBytes;

/**
 * A text as one argument of a program: never a flag, without NUL, and short enough to be passed. A longer one
 * becomes a pointer to the file that holds it.
 */
export const textArgument = (text: string, file: string): string => {
	const clean = text.replaceAll('\0', '\uFFFD');
	if (isTooLong(clean))
		return `Your instructions are too long for a command line. Read all of ${file} and do what it says. Git ignores it: where a tool refuses to read it for that, use cat.`;
	return clean.startsWith('-') ? `\n${clean}` : clean;
};

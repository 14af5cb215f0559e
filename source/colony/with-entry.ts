import {parseDocument} from 'yaml';

/** Sets a key in the text of a YAML file. All else stays, including comments. */
export const withEntry = (text: string, key: string, value: string): string => {
	const document = parseDocument(text);
	document.set(key, value);
	// Unfolded lines: commands that must start fast read one line of the file.
	return document.toString({lineWidth: 0});
};

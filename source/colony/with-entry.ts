import {parseDocument} from 'yaml';

/** The text of a YAML file with another value at a key; everything else in it stays, comments too. */
export const withEntry = (text: string, key: string, value: string): string => {
	const document = parseDocument(text);
	document.set(key, value);
	// Commands that must start fast read one line of it.
	return document.toString({lineWidth: 0});
};

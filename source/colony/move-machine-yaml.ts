import {parseDocument} from 'yaml';

/** The text of a `config.yaml` that names another root; everything else in it stays, comments too. */
export const withColonyRoot = (text: string, root: string): string => {
	const document = parseDocument(text);
	document.set('colony_root', root);
	// Commands that must start fast read one line of it.
	return document.toString({lineWidth: 0});
};

import {Document} from 'yaml';

/** Columns at which long texts are folded. */
const maxColumns = 100;

/** Writes a value as one YAML document, below lines of comment. */
export const writeYaml = (value: unknown, comment: readonly string[]): string => {
	const document = new Document(value);
	document.commentBefore = comment.map(row => ` ${row}`).join('\n');
	return document.toString({lineWidth: maxColumns});
};

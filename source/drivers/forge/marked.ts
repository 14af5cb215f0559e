/** A text that its marker finds again. */
export const marked = ({text, marker}: {readonly text: string; readonly marker: string}): string =>
	text.includes(marker) ? text : `${text}\n\n${marker}`;

const introducer = '\x1b[';

/** A focus report of a terminal (`?1004`): `ESC [ I` for focus gained, `ESC [ O` for focus lost. */
const focusReport = new RegExp(`${introducer.replace('[', '\\[')}([IO])`, 'g');

/** Removes focus reports from the input, and passes each to `tell`. All other bytes stay unchanged. */
export const focusFilter =
	(onFocusChange: (hasFocus: boolean) => void): ((typed: Buffer) => Buffer) =>
	typed => {
		if (!typed.includes(introducer)) return typed;
		const rest = typed.toString('latin1').replaceAll(focusReport, (_, letter: string) => {
			onFocusChange(letter === 'I');
			return '';
		});
		return Buffer.from(rest, 'latin1');
	};

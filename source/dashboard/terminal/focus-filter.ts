const introducer = '\x1b[';

/** What a terminal reports of its focus (`?1004`): `ESC [ I` when it gets it, `ESC [ O` when it loses it. */
const report = new RegExp(`${introducer.replace('[', '\\[')}([IO])`, 'g');

/** Takes such reports out of what is typed, which stays byte by byte as it is, and tells each. */
export const focusFilter =
	(tell: (hasFocus: boolean) => void): ((typed: Buffer) => Buffer) =>
	typed => {
		if (!typed.includes(introducer)) return typed;
		const rest = typed.toString('latin1').replaceAll(report, (_, letter: string) => {
			tell(letter === 'I');
			return '';
		});
		return Buffer.from(rest, 'latin1');
	};

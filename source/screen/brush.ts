import type {Links} from './links.ts';
import {linkOf, sgrOf} from './sgr.ts';
import type {Extended} from './xterm-core.ts';

/** Collects text for a terminal, with the pen's attributes. */
export type StyleWriter = {
	readonly write: (text: string) => void;
	/** Gives the pen these attributes, if it has others. */
	readonly setStyle: (fg: number, bg: number, extended?: Extended) => void;
	/** True if the pen has these attributes. */
	readonly hasStyle: (fg: number, bg: number, extended?: Extended) => boolean;
	/** Sets default attributes, so that rows that scroll in and erased cells have no colour. */
	readonly clean: () => void;
	readonly text: () => string;
	readonly bytes: () => Uint8Array;
};

export const createStyleWriter = (links: Links): StyleWriter => {
	// Bytes rather than a string: a string that grows by characters would be 500,000 objects on a large screen.
	let bytes = Buffer.allocUnsafe(256);
	let length = 0;
	let fg = 0;
	let bg = 0;
	let ext = 0;
	let link = 0;

	const write = (text: string): void => {
		const neededBytes = length + 3 * text.length;
		if (neededBytes > bytes.length) bytes = Buffer.concat([bytes], 2 * neededBytes);
		const code = text.charCodeAt(0);
		if (text.length === 1 && code < 0x80) bytes[length++] = code;
		else length += bytes.write(text, length);
	};
	const follow = (wanted: number): void => {
		if (wanted === link) return;
		link = wanted;
		const data = links.get(wanted);
		write(data === undefined ? closeLink : `\x1b]8;${data.id ? `id=${data.id}` : ''};${data.uri}\x1b\\`);
	};
	const hasStyle = (wantedFg: number, wantedBg: number, extended?: Extended): boolean =>
		wantedFg === fg &&
		wantedBg === bg &&
		(extended === undefined ? 0 : extended._ext) === ext &&
		linkOf(wantedBg, extended) === link;
	const setStyle = (wantedFg: number, wantedBg: number, extended?: Extended): void => {
		const wantedExt = extended?._ext ?? 0;
		if (wantedFg !== fg || wantedBg !== bg || wantedExt !== ext) write(sgrOf(wantedFg, wantedBg, extended));
		fg = wantedFg;
		bg = wantedBg;
		ext = wantedExt;
		follow(linkOf(wantedBg, extended));
	};
	return {
		write,
		setStyle,
		hasStyle,
		clean: () => setStyle(0, 0),
		text: () => bytes.toString('utf8', 0, length),
		bytes: () => bytes.subarray(0, length),
	};
};

const closeLink = '\x1b]8;;\x1b\\';

import type {Extended} from './xterm-core.ts';

const colourMask = 0x3ff_ffff;
const modeMask = 0x300_0000;
const palette16 = 0x100_0000;
const palette256 = 0x200_0000;

const underline = 0x1000_0000;
const hasExtended = 0x1000_0000;
const isProtected = 0x2000_0000;

const foregroundFlags: readonly (readonly [bit: number, code: string])[] = [
	[0x800_0000, ';1'],
	[0x2000_0000, ';5'],
	[0x400_0000, ';7'],
	[0x4000_0000, ';8'],
	[0x8000_0000, ';9'],
];
const backgroundFlags: readonly (readonly [bit: number, code: string])[] = [
	[0x800_0000, ';2'],
	[0x400_0000, ';3'],
	[0x4000_0000, ';53'],
];

/**
 * Returns the SGR that sets the attributes of a cell from any others, and DECSCA if the cell is protected.
 */
export const sgrOf = (fg: number, bg: number, extended: Extended | undefined): string => {
	if (fg === 0 && bg === 0) return '\x1b[0m';
	const flags = flagsOf(fg, foregroundFlags) + flagsOf(bg, backgroundFlags);
	const colours = colourOf(fg, 30, '38') + colourOf(bg, 40, '48');
	const sgr = `\x1b[0${flags}${underlineOf(fg, bg, extended)}${colours}m`;
	return bg & isProtected ? `${sgr}\x1b[1"q` : sgr;
};

/** Returns the number of the link of a cell or the pen. */
export const linkOf = (bg: number, extended: Extended | undefined): number =>
	bg & hasExtended ? (extended?.urlId ?? 0) : 0;

/** True if an empty cell has at most a background, which erasing also sets. */
export const isErased = (fg: number, bg: number): boolean => fg === 0 && (bg & ~colourMask) === 0;

/** Returns the colour of the pen's next underline. A pen keeps that colour while it does not underline. */
export const underlineColour = (extended: Extended): string => {
	const colour = extended._ext & colourMask;
	switch (colour & modeMask) {
		case 0:
			return '';
		case palette256:
		case palette16:
			return `;58:5:${colour & 0xff}`;
		default:
			// xterm stores the default of SGR 59 as white.
			return colour === colourMask ? ';59' : `;58:2::${rgb(colour, ':')}`;
	}
};

const flagsOf = (value: number, flags: readonly (readonly [bit: number, code: string])[]): string => {
	let codes = '';
	for (const [bit, code] of flags) if (value & bit) codes += code;
	return codes;
};

const underlineOf = (fg: number, bg: number, extended: Extended | undefined): string => {
	if (!(fg & underline)) return '';
	if (!(bg & hasExtended) || extended === undefined) return ';4';
	const style = (extended._ext >> 26) & 7;
	return (style > 1 ? `;4:${style}` : ';4') + underlineColour(extended);
};

const colourOf = (value: number, base: number, extendedCode: string): string => {
	const index = value & 0xff;
	switch (value & modeMask) {
		case 0:
			return '';
		case palette16:
			return `;${index < 8 ? base + index : base + 52 + index}`;
		case palette256:
			return `;${extendedCode};5;${index}`;
		default:
			return `;${extendedCode};2;${rgb(value, ';')}`;
	}
};

const rgb = (value: number, separator: string): string =>
	[(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff].join(separator);

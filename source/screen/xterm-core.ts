import type {Terminal} from '@xterm/headless';

/**
 * State inside xterm that a snapshot needs: the pen, saved cursors, regions, tab stops and charsets. xterm's
 * version is pinned, and the tests of this folder fail if a name has changed.
 */
export type Core = {
	readonly buffers: {readonly active: Buffer; readonly normal: Buffer; readonly alt: Buffer};
	readonly coreService: {
		isCursorHidden: boolean;
		readonly modes: {readonly insertMode: boolean};
		readonly decPrivateModes: {
			readonly applicationCursorKeys: boolean;
			readonly applicationKeypad: boolean;
			readonly bracketedPasteMode: boolean;
			readonly cursorBlink: boolean | undefined;
			readonly cursorStyle: 'block' | 'underline' | 'bar' | undefined;
			readonly origin: boolean;
			readonly reverseWraparound: boolean;
			readonly sendFocus: boolean;
			readonly wraparound: boolean;
		};
	};
	readonly coreMouseService: {readonly activeProtocol: string; readonly activeEncoding: string};
	readonly optionsService: {readonly options: {cursorBlink: boolean; convertEol: boolean}};
	readonly unicodeService: {
		readonly _providers: Readonly<Record<string, {wcwidth: (code: number) => 0 | 1 | 2}>>;
	};
	readonly _charsetService: {
		readonly charset: Charset;
		readonly glevel: number;
		readonly _charsets: Charset[];
		readonly reset: () => void;
	};
	readonly _inputHandler: {
		readonly _windowTitle: string;
		readonly _windowTitleStack: readonly string[];
		readonly _curAttrData: Attributes & {readonly updateExtended: () => void};
		readonly _parser: {precedingJoinState: number; readonly reset: () => void};
		parse: (text: string) => void;
		readonly selectCharset: (designation: string) => void;
		readonly screenAlignmentPattern: () => void;
		readonly eraseInLine: (parameters: Parameters, keepProtected: boolean) => void;
		readonly eraseInDisplay: (parameters: Parameters, keepProtected: boolean) => void;
	};
};

export type Buffer = {
	readonly lines: {
		readonly length: number;
		maxLength: number;
		readonly get: (index: number) => BufferLine | undefined;
		readonly onTrim: (listener: (amount: number) => void) => unknown;
	};
	/** Column of the cursor. It equals the number of columns when the next character wraps. */
	x: number;
	readonly y: number;
	/** Index of the first row on screen. */
	readonly ybase: number;
	readonly scrollTop: number;
	readonly scrollBottom: number;
	readonly tabs: Readonly<Record<number, boolean | undefined>>;
	readonly getNullCell: () => Cell;
	readonly savedX: number;
	/** Counted from the first kept row. */
	savedY: number;
	readonly savedCurAttrData: Attributes;
	readonly savedCharset: Charset;
};

export type BufferLine = {
	isWrapped: boolean;
	readonly length: number;
	/** Three numbers a cell: content, foreground and background. */
	readonly _data: Uint32Array;
	readonly _combined: Readonly<Record<number, string>>;
	readonly _extendedAttrs: Readonly<Record<number, Extended | undefined>>;
	readonly resize: (columns: number, blank: Cell) => void;
	readonly setCell: (column: number, cell: Cell) => void;
	readonly translateToString: (trimRight: boolean) => string;
};

/** One cell, which only xterm reads. */
type Cell = {readonly content: number};

/** Colours and flags of a cell or the pen, packed as in xterm. */
export type Attributes = {fg: number; bg: number; extended: Extended};
/** `_ext` packs the underline's style and colour. */
export type Extended = {readonly _ext: number; readonly urlId: number; readonly clone: () => Extended};
type Parameters = {readonly params: readonly number[]; readonly length: number};
export type Charset = Readonly<Record<string, string>> | undefined;

export const coreOf = (terminal: Terminal): Core => (terminal as unknown as {_core: Core})._core;

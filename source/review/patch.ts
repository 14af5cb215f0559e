import {
	countHidden,
	escapeHidden,
	type HiddenCount,
	hiddenCharacter,
	sumHiddenCounts,
} from '../domain/escape-hidden.ts';
import {parseQuotedPath} from '../domain/quoted-path.ts';
import type {Side} from '../domain/review-comment.ts';

/** A line of a patch as it is shown, with its number in each file that has it. */
export type PatchLine = {
	readonly sign: ' ' | '+' | '-';
	readonly text: string;
	readonly old?: number;
	readonly new?: number;
};

/** A group of changed lines with their context. */
export type Hunk = {
	/** Its position as git prints it: the first line numbers, and the enclosing section. */
	readonly header: string;
	readonly lines: readonly PatchLine[];
};

/** A file of a patch. Its lines are parsed at the first use. */
export type PatchFile = {
	readonly path: string;
	/** Former path of a renamed file. */
	readonly from?: string;
	readonly status: 'added' | 'removed' | 'renamed' | 'changed';
	/** Git's modes of the file, if they changed or one is not that of an ordinary file. */
	readonly modes?: Readonly<Record<Side, string>>;
	/** Git shows no lines of it. */
	readonly isBinary: boolean;
	/** Prefixes of git's ids of the old and the new content; empty if only its name or mode changes. */
	readonly blobs: Readonly<Record<Side, string>>;
	readonly added: number;
	readonly removed: number;
	readonly shape: Shape;
	/** Set if the patch lacks lines because it was too long. */
	readonly leftOut?: 'all' | 'rest';
	readonly hunks: () => readonly Hunk[];
	/** Characters in its path and its added lines that are invisible or control a terminal. */
	readonly hidden: readonly HiddenCount[];
	/** True if the file's patch, as it is shown, contains these words, which are in lower case. */
	readonly mentions: (words: string) => boolean;
};

/** Size of a file's patch, counted without parsing its lines. */
type Shape = {
	readonly hunks: number;
	/** Number of unchanged lines. */
	readonly context: number;
	/** Number of rows for the changes if old and new lines are side by side. */
	readonly pairs: number;
	/** Highest line number, in either file. */
	readonly highest: number;
};

/** Returns a file of which only the numbers of changed lines are known. */
export const fileWithoutLines = (path: string, added: number, removed: number): PatchFile => ({
	...{path, added, removed, status: 'changed', isBinary: false, leftOut: 'all'},
	blobs: {old: '', new: ''},
	hidden: countHidden(path),
	shape: {hunks: 0, context: 0, pairs: 0, highest: 0},
	hunks: () => [],
	mentions: () => false,
});

const head = 'diff --git ';

/**
 * Returns the files in git's output of `--patch`. Within a hunk every line has a sign, so no content can look
 * like the header of a file.
 */
export const readPatch = (patch: string): readonly PatchFile[] => {
	const files: PatchFile[] = [];
	let start = patch.startsWith(head) ? 0 : patch.indexOf(`\n${head}`) + 1;
	while (patch.startsWith(head, start)) {
		const next = patch.indexOf(`\n${head}`, start);
		files.push(readFile(next < 0 ? patch.slice(start) : patch.slice(start, next)));
		if (next < 0) break;
		start = next + 1;
	}
	return files;
};

const readFile = (text: string): PatchFile => {
	const body = text.indexOf('\n@@ ');
	const header = (body < 0 ? text : text.slice(0, body)).split('\n');
	const headerValue = (start: string) => header.find(line => line.startsWith(start))?.slice(start.length);
	const from = headerValue('rename from ');
	const names = [headerValue('+++ '), headerValue('--- ')]
		.map(name => name && parseQuotedPath(name, 2))
		.filter(Boolean);
	const renamed = headerValue('rename to ');
	const path = renamed ? parseQuotedPath(renamed, 0) : (names[0] ?? nameIn(header[0] ?? ''));
	const modes = modesIn(headerValue);
	let hunks: readonly Hunk[] | undefined;
	return {
		path,
		...(from === undefined ? {} : {from: parseQuotedPath(from, 0)}),
		status: statusOf(header),
		isBinary: header.some(line => line.startsWith('Binary files ') || line === 'GIT binary patch'),
		blobs: blobsIn(headerValue('index ')),
		...(modes === undefined ? {} : {modes}),
		hidden: sumHiddenCounts([countHidden(path), countHidden(addedText(text, body))]),
		...countLines(text, body),
		mentions: words => escapeHidden(text).toLowerCase().includes(words),
		hunks: () => {
			hunks ??= body < 0 ? [] : readHunks(text.slice(body + 1));
			return hunks;
		},
	};
};

const blobsIn = (index = ''): PatchFile['blobs'] => {
	const [, old = '', now = ''] = /^([0-9a-f]+)\.\.([0-9a-f]+)/.exec(index) ?? [];
	return {old, new: now};
};

/** Returns the modes of a file if a mode is new or has changed; undefined for an ordinary file. */
const modesIn = (headerValue: (start: string) => string | undefined): PatchFile['modes'] => {
	const old = headerValue('old mode ') ?? headerValue('deleted file mode ') ?? '';
	const now =
		headerValue('new mode ') ??
		headerValue('new file mode ') ??
		/ (\d{6})$/.exec(headerValue('index ') ?? '')?.[1] ??
		'';
	return [old, now].every(mode => mode === '' || mode === plainMode) ? undefined : {old, new: now};
};

const plainMode = '100644';

const modeNames: Readonly<Record<string, string>> = {
	...{'100644': 'file', '100755': 'program', '120000': 'link', '160000': 'submodule'},
};

/** Describes modes other than an ordinary file's: "link", "file becomes program". */
export const formatModes = ({modes}: Pick<PatchFile, 'modes'>): readonly string[] => {
	if (modes === undefined) return [];
	const [old, now] = [modes.old, modes.new].map(mode => modeNames[mode] ?? mode);
	if (old && now && old !== now) return [`${old} becomes ${now}`];
	return [now || old || ''];
};

/** Returns the added lines, if any of them may contain hidden characters. */
const addedText = (text: string, body: number): string => {
	if (body < 0 || !(hiddenCharacter.test(text) || text.includes('\r'))) return '';
	return text
		.slice(body)
		.split('\n')
		.filter(line => line.startsWith('+'))
		.join('\n');
};

const statusOf = (header: readonly string[]): PatchFile['status'] => {
	if (header.some(line => line.startsWith('new file mode '))) return 'added';
	if (header.some(line => line.startsWith('deleted file mode '))) return 'removed';
	return header.some(line => line.startsWith('rename to ')) ? 'renamed' : 'changed';
};

/** Returns the path of a file without lines: its two names are equal except for their first letters. */
const nameIn = (line: string): string => {
	const names = line.slice(head.length);
	return parseQuotedPath(names.slice((names.length + 1) / 2), 2);
};

const countLines = (text: string, body: number): Pick<PatchFile, 'added' | 'removed' | 'shape'> => {
	let [added, removed, context, hunks, pairs, highest] = [0, 0, 0, 0, 0, 0];
	let block = {added: 0, removed: 0};
	const flushBlock = (): void => {
		pairs += Math.max(block.added, block.removed);
		added += block.added;
		removed += block.removed;
		block = {added: 0, removed: 0};
	};
	for (let end = body; end >= 0; end = text.indexOf('\n', end + 1)) {
		const sign = text[end + 1];
		if (sign === '+') block.added += 1;
		else if (sign === '-') {
			if (block.added > 0) flushBlock();
			block.removed += 1;
		} else if (sign === ' ' || sign === '@') {
			flushBlock();
			if (sign === ' ') context += 1;
			else {
				hunks += 1;
				highest = Math.max(highest, lastLine(text.slice(end + 1, end + 80)));
			}
		}
	}
	flushBlock();
	return {added, removed, shape: {hunks, context, pairs, highest}};
};

/** Returns the highest line number of a hunk, from its position. */
const lastLine = (place: string): number => {
	const [, old = 0, oldLines = 1, now = 0, nowLines = 1] = hunkHeader.exec(place) ?? [];
	return Math.max(Number(old) + Number(oldLines), Number(now) + Number(nowLines)) - 1;
};

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

const readHunks = (body: string): readonly Hunk[] => {
	const hunks: {header: string; lines: PatchLine[]}[] = [];
	let [old, now] = [0, 0];
	for (const row of body.split('\n')) {
		const sign = row[0];
		if (sign === '@') {
			const [, oldStart, , newStart] = hunkHeader.exec(row) ?? [];
			[old, now] = [Number(oldStart), Number(newStart)];
			hunks.push({header: escapeHidden(row), lines: []});
		} else if (sign === '+' || sign === '-' || sign === ' ') {
			const text = escapeHidden(row.slice(1));
			const numbers = {...(sign === '+' ? {} : {old}), ...(sign === '-' ? {} : {new: now})};
			hunks.at(-1)?.lines.push({sign, text, ...numbers});
			if (sign !== '+') old += 1;
			if (sign !== '-') now += 1;
		}
	}
	return hunks;
};

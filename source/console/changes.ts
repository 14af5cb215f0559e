import {escapeHidden, formatHiddenCount} from '../domain/escape-hidden.ts';
import type {Side} from '../domain/review-comment.ts';
import type {Highlighter} from '../highlight/highlighter.ts';
import type {Colours} from '../highlight/protocol.ts';
import {reviewMark} from '../host/review/review-memory.ts';
import {type CodeLines, type CodeSpan, codeOf} from '../review/code.ts';
import {formatModes, type PatchFile, type PatchLine, readPatch} from '../review/patch.ts';
import type {ChangedLine, FileChange} from './answers.ts';

/** Max characters of all files that are highlighted, since a person waits for the answer. */
const maxCharacters = 600_000;

const lineKinds = {'+': 'added', '-': 'removed', ' ': 'same'} as const;

/**
 * The files of a patch, line by line. Highlighting is sent as lengths, and the text stays whole: a secret
 * split into pieces would pass the redactor.
 */
export const readChanges = async (patch: string, highlight: Highlighter): Promise<readonly FileChange[]> => {
	let left = maxCharacters;
	const changes: FileChange[] = [];
	for (const file of readPatch(patch)) {
		const code = {old: codeOf(file, 'old'), new: codeOf(file, 'new')};
		left -= [code.old, code.new].flat(2).reduce((sum, line) => sum + line.length, 0);
		const colours = left < 0 ? undefined : await highlight({path: file.path, code});
		changes.push(changeOf(file, partsOf(colours?.old), partsOf(colours?.new)));
	}
	return changes;
};

const partsOf = (hunks: Colours[Side] = []): readonly CodeLines[] =>
	hunks.map(lines => lines.map(parts => (parts === null ? undefined : JSON.parse(parts))));

const changeOf = (file: PatchFile, old: readonly CodeLines[], now: readonly CodeLines[]): FileChange => {
	const {path, from, status, isBinary, added, removed, hidden} = file;
	const notes = [
		...(from === undefined ? [] : [`was ${escapeHidden(from)}`]),
		...(status === 'added' || status === 'removed' ? [`${status} file`] : []),
		...formatModes(file),
		...(isBinary ? ['binary'] : []),
		...hidden.map(formatHiddenCount),
	];
	const lines = file.hunks().flatMap<ChangedLine>(({header, lines: hunkLines}, hunk) => {
		let [before, after] = [0, 0];
		const read = hunkLines.map(line => {
			const ofOld = line.old === undefined ? undefined : old[hunk]?.[before++];
			const ofNew = line.new === undefined ? undefined : now[hunk]?.[after++];
			return lineOf(line, ofNew ?? ofOld);
		});
		return [{kind: 'hunk', text: header}, ...read];
	});
	return {
		path,
		...(from === undefined ? {} : {from}),
		mark: reviewMark(file),
		added,
		removed,
		lines: [...notes.map(text => ({kind: 'hunk', text}) as const), ...lines],
	};
};

const lineOf = (
	{sign, text, old, new: now}: PatchLine,
	spans: readonly CodeSpan[] | undefined,
): ChangedLine => ({
	kind: lineKinds[sign],
	text,
	...(old === undefined ? {} : {old}),
	...(now === undefined ? {} : {new: now}),
	...(spans === undefined
		? {}
		: {parts: spans.map(({text: {length}, kind = ''}) => `${length}${kind}`).join(' ')}),
});

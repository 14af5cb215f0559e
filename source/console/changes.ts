import type {Side} from '../domain/review-comment.ts';
import {hiddenWords, writeOut} from '../domain/written-out.ts';
import type {Highlighter} from '../highlight/highlighter.ts';
import type {Colours} from '../highlight/protocol.ts';
import {type CodeLines, type CodeSpan, codeOf} from '../review/code.ts';
import {modeWords, type PatchFile, type PatchLine, readPatch} from '../review/patch.ts';
import type {ChangedLine, FileChange} from './answers.ts';

/** Max characters of all files that are highlighted, since a person waits for the answer. */
const mostCharacters = 600_000;

const kinds = {'+': 'added', '-': 'removed', ' ': 'same'} as const;

/**
 * The files of a patch, line by line. Highlighting is sent as lengths, and the text stays whole: a secret
 * split into pieces would pass the redactor.
 */
export const changesIn = async (patch: string, highlight: Highlighter): Promise<readonly FileChange[]> => {
	let left = mostCharacters;
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
		...(from === undefined ? [] : [`was ${writeOut(from)}`]),
		...(status === 'added' || status === 'removed' ? [`${status} file`] : []),
		...modeWords(file),
		...(isBinary ? ['binary'] : []),
		...hidden.map(hiddenWords),
	];
	const lines = file.hunks().flatMap<ChangedLine>(({place, lines: own}, hunk) => {
		let [before, after] = [0, 0];
		const read = own.map(line => {
			const ofOld = line.old === undefined ? undefined : old[hunk]?.[before++];
			const ofNew = line.new === undefined ? undefined : now[hunk]?.[after++];
			return lineOf(line, ofNew ?? ofOld);
		});
		return [{kind: 'hunk', text: place}, ...read];
	});
	return {path, added, removed, lines: [...notes.map(text => ({kind: 'hunk', text}) as const), ...lines]};
};

const lineOf = (
	{sign, text, old, new: now}: PatchLine,
	spans: readonly CodeSpan[] | undefined,
): ChangedLine => ({
	kind: kinds[sign],
	text,
	...(old === undefined ? {} : {old}),
	...(now === undefined ? {} : {new: now}),
	...(spans === undefined ? {} : {parts: spans.map(part => [part.text.length, part.kind ?? ''] as const)}),
});

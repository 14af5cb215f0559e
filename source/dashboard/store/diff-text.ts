import {commentPlace} from '../../domain/review-comment.ts';
import {hiddenWords, writeOut} from '../../domain/written-out.ts';
import {modeWords, type PatchFile} from '../../review/patch.ts';
import type {DiffRow} from './review.ts';

/** The text of a row, for searching and for screen readers. */
export const diffText = (row: DiffRow): string => {
	if (row.kind === 'file') return `${fileWords(row.file)} +${row.file.added} -${row.file.removed}`;
	if (row.kind === 'hunk') return row.place;
	if (row.kind === 'seen') return seenWords(row.lines);
	if (row.kind === 'left-out') return leftOutWords;
	if (row.kind === 'comment') return commentWords(row);
	const {old, new: now} = row;
	if (old !== undefined && old === now) return `  ${old.text}`;
	return [old && `- ${old.text}`, now && `+ ${now.text}`].filter(Boolean).join(' ');
};

/** Max characters shown of a line, since generated lines may have any length. The pager has the rest. */
const longestShown = 10_000;

export const shownCode = (text: string): string =>
	text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;

/** A file with its status. */
export const fileWords = (file: PatchFile): string => {
	const {path, from = '', status, isBinary, leftOut, hidden} = file;
	const what =
		status === 'changed' ? [] : status === 'renamed' ? [`renamed from ${writeOut(from)}`] : [status];
	return [
		writeOut(path),
		...what,
		...modeWords(file),
		...(isBinary ? ['not text'] : []),
		...(leftOut === 'rest' ? ['its first 1 MiB'] : []),
		...hidden.map(hiddenWords),
	].join(', ');
};

export const leftOutWords = 'The change is too long to show at once: Enter shows these lines.';

export const seenWords = (lines: number): string => `✓ reviewed, ${lines} changed lines folded`;

export const commentWords = ({draft, anchored, isAside}: Extract<DiffRow, {kind: 'comment'}>): string => {
	const words = draft.text.replaceAll(/\s*\n\s*/g, ' ');
	if (anchored.state === 'outdated') return `! outdated, was at ${commentPlace(draft)}: ${words}`;
	const {line, endLine} = anchored;
	const place = endLine > line ? `lines ${line} to ${endLine}` : isAside ? `line ${line}` : '';
	const from = anchored.state === 'moved' ? `, from line ${draft.line}` : '';
	return `◆ you${place && `, at ${place}`}${from}: ${words}`;
};

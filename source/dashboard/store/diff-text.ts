import {escapeHidden, formatHiddenCount} from '../../domain/escape-hidden.ts';
import {formatCommentPosition} from '../../domain/review-comment.ts';
import {formatModes, type PatchFile} from '../../review/patch.ts';
import type {DiffRow} from './review.ts';

/** The text of a row, for searching and for screen readers. */
export const formatDiffRow = (row: DiffRow): string => {
	if (row.kind === 'file') return `${formatFile(row.file)} +${row.file.added} -${row.file.removed}`;
	if (row.kind === 'hunk') return row.header;
	if (row.kind === 'seen') return formatReviewedFile(row.lines);
	if (row.kind === 'left-out') return leftOutMessage;
	if (row.kind === 'comment') return formatComment(row);
	const {old, new: now} = row;
	if (old !== undefined && old === now) return `  ${old.text}`;
	return [old && `- ${old.text}`, now && `+ ${now.text}`].filter(Boolean).join(' ');
};

/** Max characters shown of a line, since generated lines may have any length. The pager has the rest. */
const maxShownLength = 10_000;

export const clipCode = (text: string): string =>
	text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;

/** A file with its status. */
export const formatFile = (file: PatchFile): string => {
	const {path, from = '', status, isBinary, leftOut, hidden} = file;
	const statusParts =
		status === 'changed' ? [] : status === 'renamed' ? [`renamed from ${escapeHidden(from)}`] : [status];
	return [
		escapeHidden(path),
		...statusParts,
		...formatModes(file),
		...(isBinary ? ['not text'] : []),
		...(leftOut === 'rest' ? ['its first 1 MiB'] : []),
		...hidden.map(formatHiddenCount),
	].join(', ');
};

export const leftOutMessage = 'The change is too long to show at once: Enter shows these lines.';

export const formatReviewedFile = (lines: number): string => `✓ reviewed, ${lines} changed lines folded`;

export const formatComment = ({draft, anchored, isAside}: Extract<DiffRow, {kind: 'comment'}>): string => {
	const words = draft.text.replaceAll(/\s*\n\s*/g, ' ');
	if (anchored.state === 'outdated') return `! outdated, was at ${formatCommentPosition(draft)}: ${words}`;
	const {line, endLine} = anchored;
	const position = endLine > line ? `lines ${line} to ${endLine}` : isAside ? `line ${line}` : '';
	const from = anchored.state === 'moved' ? `, from line ${draft.line}` : '';
	return `◆ you${position && `, at ${position}`}${from}: ${words}`;
};

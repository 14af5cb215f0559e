import {escapeHidden} from '../../domain/escape-hidden.ts';
import {formatCount} from '../../domain/format-count.ts';
import type {Preview} from '../../host/review/preview.ts';
import {type Line, line, span} from '../parts/line.ts';

/** The total added and removed lines of the files. */
export const totals = ({
	files,
}: Pick<Preview, 'files'>): {readonly added: number; readonly removed: number} => ({
	added: files.reduce((sum, file) => sum + file.added, 0),
	removed: files.reduce((sum, file) => sum + file.removed, 0),
});

/**
 * The effect of a merge, or why it would be refused, in one row. The names are last, since a narrow pane cuts
 * the end.
 */
export const preflightLine = (preview: Preview): Line => {
	const {base, files, conflicts, unsaved, carried, notTaken} = preview;
	if (notTaken.length > 0)
		return refused(`git cannot store ${formatCount(notTaken.length, 'path')} of the work`, notTaken);
	if (conflicts.length > 0)
		return refused(`conflicts with ${base} in ${formatCount(conflicts.length, 'file')}`, conflicts);
	if (unsaved.length > 0)
		return refused(`${formatCount(unsaved.length, 'unsaved file')} of yours in the way`, unsaved);
	const {added, removed} = totals(preview);
	const kept =
		carried.length === 0 ? '' : ` · ${formatCount(carried.length, 'unsaved file')} of yours kept on top`;
	return [
		span('✓ ', 'good'),
		span(`merges cleanly into ${base}: ${formatCount(files.length, 'file')} `),
		span(`+${added}`, 'added'),
		span(' '),
		span(`-${removed}`, 'removed'),
		span(kept),
	];
};

const refused = (what: string, paths: readonly string[]): Line =>
	line(`✗ ${what}: ${paths.map(escapeHidden).join(', ')}`, 'bad');

import type {Preview} from '../../host/review/preview.ts';

/** The total added and removed lines of the files. */
export const totals = ({
	files,
}: Pick<Preview, 'files'>): {readonly added: number; readonly removed: number} => ({
	added: files.reduce((sum, file) => sum + file.added, 0),
	removed: files.reduce((sum, file) => sum + file.removed, 0),
});

import {escapeHidden} from '../../domain/escape-hidden.ts';
import {formatCount} from '../../domain/format-count.ts';
import type {ConfigurationChanges} from '../../host/configuration-changes.ts';
import {readPatch} from '../../review/patch.ts';
import {type ColourToken, type Line, line, span} from '../parts/line.ts';
import type {Form} from '../store/form.ts';
import {cancelButton, form} from './target.ts';

/** Max rows of a patch in the dialog on a small terminal. */
const maxRows = 8;

const rowsIn = ({patch}: ConfigurationChanges): readonly Line[] =>
	readPatch(patch).flatMap(file =>
		file.hunks().flatMap(hunk => hunk.lines.map(({sign, text}) => line(`${sign} ${text}`, tones[sign]))),
	);

const tones: Readonly<Record<'+' | '-' | ' ', ColourToken>> = {'+': 'added', '-': 'removed', ' ': 'plain'};

/** True if the dialog would cut the changes. */
export const isLong = (changes: ConfigurationChanges): boolean =>
	changes.changes.length > 1 || rowsIn(changes).length > maxRows;

/** @param now milliseconds since 1970 */
export const configurationForm = (now: number, changes: ConfigurationChanges): Form => {
	const files = readPatch(changes.patch);
	return form(now, {
		title: `Accept what was changed below .hive/ · ${formatCount(files.length, 'file')}`,
		lines: [
			...changes.changes
				.slice(0, maxRows)
				.flatMap(({path, by}, index) => [
					[
						span(`${escapeHidden(path)} `, 'strong'),
						span(`+${files[index]?.added ?? 0}`, 'added'),
						span(' '),
						span(`-${files[index]?.removed ?? 0}`, 'removed'),
					],
					line(`  changed while ${by}`),
				]),
			...(changes.changes.length > maxRows
				? [line(`and ${changes.changes.length - maxRows} more`, 'dim')]
				: []),
			...(isLong(changes) ? [line('You have just seen the change.', 'dim')] : rowsIn(changes)),
			line('It applies to every run that starts afterwards. Their effects cannot be undone here.', 'dim'),
		],
		buttons: [cancelButton, {label: 'y Accept', key: 'y', value: 'accept'}],
		request: {action: 'configuration.accept', input: {seen: changes.seen}},
	});
};

import {found} from '../parts/found.ts';
import {type Area, inside, type PaneView} from '../parts/frame.ts';
import {dropColumns, fill, line} from '../parts/line.ts';
import {plural} from '../parts/words.ts';
import type {State} from '../store/state.ts';
import {firstRow, textRows} from '../store/texts.ts';
import type {World} from '../world.ts';

/** Bees, cues and what is wrong with them. */
export const colonyText = ({
	header,
	colony,
	cues,
}: Pick<World, 'header' | 'colony' | 'cues'>): readonly string[] => [
	...section('Colony', [
		['slug', header.slug],
		['root', header.root],
		['branch', header.branch],
		['bus', header.bus],
	]),
	...section(
		plural(colony.bees.length, 'bee'),
		colony.bees.map(({name, note}) => [name, note]),
	),
	...section(
		plural(cues.length, 'cue'),
		cues.map(({id, description}) => [id, description]),
	),
	...(colony.problems.length === 0
		? ['✓ No problems. hive doctor checks it all.']
		: [`✗ ${plural(colony.problems.length, 'problem')}; hive doctor says more:`]),
	...colony.problems.map(problem => `  ${problem}`),
];

const section = (title: string, rows: readonly (readonly [string, string])[]): readonly string[] => [
	title,
	...rows.map(([name, note]) => `  ${fill(name, 14)} ${note}`),
	'',
];

export const colonyPane = (state: State, area: Area): PaneView => {
	const top = firstRow(state, 'colony');
	const rows = textRows(state, 'colony').slice(top, top + inside(area).height);
	return {
		title: line('Colony', 'strong'),
		body: rows.map(text =>
			found(
				` ${dropColumns(text, state.scroll.colony.left)}`,
				state.search,
				text.startsWith('  ') ? 'plain' : 'strong',
			),
		),
	};
};

import {plural} from '../parts/words.ts';
import type {World} from '../world.ts';

/** Rows of the Colony tab: bees, cues and what is wrong with them. */
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

const nameWidth = 14;

const section = (title: string, rows: readonly (readonly [string, string])[]): readonly string[] => [
	title,
	...rows.map(([name, note]) => `  ${name.padEnd(nameWidth)} ${note}`),
	'',
];

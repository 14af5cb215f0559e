import {blank, type Line, line} from '../parts/line.ts';

/** An empty list says why, and what to press or run next. */
export const emptyBody = (filter: string, otherwise: readonly string[]): readonly Line[] => [
	blank,
	...(filter === '' ? otherwise : [`Nothing matches "${filter}".`, 'Esc clears the filter.']).map(
		(text, index) => line(`  ${text}`, index === 0 ? 'plain' : 'dim'),
	),
];

export const filterNote = (filter: string): string => (filter === '' ? '' : ` · /${filter}`);

import {closest, distance} from 'fastest-levenshtein';

/** The known name that a mistyped one most likely meant, or nothing when none is close. */
export const nearestName = (word: string, known: Iterable<string>): string | undefined => {
	const names = [...known];
	if (names.length === 0) return undefined;
	const lower = word.toLowerCase();
	const best = closest(
		lower,
		names.map(name => name.toLowerCase()),
	);
	// Half of a short word is another word, unless its letters are the same.
	const limit =
		word.length < 5 && letters(lower) !== letters(best) ? 1 : Math.max(2, Math.floor(word.length / 3));
	if (distance(lower, best) > limit) return undefined;
	return names.find(name => name.toLowerCase() === best);
};

const letters = (word: string): string => [...word].sort().join('');

/** A hint for an unknown name: the nearest one, else all of them. */
export const hintNearest = (word: string, known: Iterable<string>): string => {
	const names = [...known];
	const nearest = nearestName(word, names);
	if (nearest !== undefined) return `Did you mean "${nearest}"?`;
	return names.length === 0 ? 'There are none.' : `Known: ${names.join(', ')}.`;
};

/** The same name but for case, dashes and underscores. */
export const isSpeltAlike = (one: string, other: string): boolean => squash(one) === squash(other);

const squash = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

import {closest, distance} from 'fastest-levenshtein';

/** The known name closest to a mistyped one; `undefined` if none is close. */
export const nearestName = (word: string, known: Iterable<string>): string | undefined => {
	const names = [...known];
	if (names.length === 0) return undefined;
	const lower = word.toLowerCase();
	const best = closest(
		lower,
		names.map(name => name.toLowerCase()),
	);
	// In a short word one edit is the maximum, since more would give another word. Swapped letters are an
	// exception.
	const limit =
		word.length < 5 && letters(lower) !== letters(best) ? 1 : Math.max(2, Math.floor(word.length / 3));
	if (distance(lower, best) > limit) return undefined;
	return names.find(name => name.toLowerCase() === best);
};

const letters = (word: string): string => [...word].sort().join('');

/** A hint for an unknown name: the nearest known one, else all of them. */
export const hintNearest = (word: string, known: Iterable<string>): string => {
	const names = [...known];
	const nearest = nearestName(word, names);
	if (nearest !== undefined) return `Did you mean "${nearest}"?`;
	return names.length === 0 ? 'There are none.' : `Known: ${names.join(', ')}.`;
};

/** True if the names differ only in case, dashes and underscores. */
export const hasSameLetters = (one: string, other: string): boolean => squash(one) === squash(other);

const squash = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

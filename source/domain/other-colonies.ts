/** The part of a colony's id that comes from its slug: `shop` of `shop-0f3a92c1`. */
const nameIn = (id: string): string => id.replace(/-[0-9a-f]{8}$/, '');

/** Returns the ids that other colonies of the same name have. */
export const idsOfSameName = (ids: readonly string[], own: string): readonly string[] =>
	ids.filter(id => id !== own && nameIn(id) === nameIn(own)).toSorted();

/** Says that colonies of one name stand side by side on a bus; undefined if this one is alone. */
export const sayOtherColonies = (own: string, others: readonly string[]): string | undefined =>
	others.length === 0
		? undefined
		: `this bus has another colony of the same name: ${others.join(', ')}; the id here is ${own}`;

/** The way to one id. */
export const oneIdHint =
	'Two clones of one repository need one id. Commit and push .hive/ in one clone. In the other, remove its own .hive/colony.yaml, run "git pull", then "hive init". If these are two repositories, nothing is wrong.';

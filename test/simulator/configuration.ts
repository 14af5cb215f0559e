import type {Bee, Colony} from '../../source/colony/colony.ts';
import {verifierRole} from '../../source/domain/evidence.ts';
import {randomBudget, withoutLeaver} from './colony.ts';
import type {Random} from './random.ts';

/** The configuration that the reactors read. People edit it while reactors run. */
export type Configuration = {
	readonly now: () => Colony;
	/** Makes one edit: a bee is removed or changed, limits change, or the original files return. */
	readonly edit: () => void;
	/** Restores the original files. */
	readonly restore: () => void;
	/** Returns the bees that no edit has touched, by role. */
	readonly steady: () => Colony;
	readonly isEdited: () => boolean;
	/** Returns the shortest timeout that the bee ever had, in milliseconds. */
	readonly leastTimeout: (role: string) => number;
};

export const createConfiguration = (random: Random, written: Colony): Configuration => {
	const first = withoutLeaver(written);
	const versions: Colony[] = [first];
	let now = first;
	const turnTo = (colony: Colony) => {
		now = colony;
		versions.push(colony);
	};
	return {
		now: () => now,
		edit: () => turnTo(random.chance(0.2) ? first : edited(random, first, written)),
		restore: () => {
			now = first;
		},
		steady: () => ({
			...first,
			bees: new Map(
				[...first.bees].filter(([role, bee]) => versions.every(({bees}) => bees.get(role) === bee)),
			),
		}),
		isEdited: () => versions.length > 1,
		leastTimeout: role =>
			Math.min(
				...versions.flatMap(
					({bees, verify}) => (role === verifierRole ? verify : bees.get(role))?.timeout ?? [],
				),
			),
	};
};

const edited = (random: Random, first: Colony, written: Colony): Colony => {
	const bees = [...(random.chance(0.3) ? written : first).bees.values()].flatMap((bee): Bee[] =>
		random.chance(0.25) ? [] : random.chance(0.25) ? [changed(random, bee)] : [bee],
	);
	return {
		...first,
		bees: new Map(bees.map(bee => [bee.role, bee])),
		defaults: {
			...first.defaults,
			maxParallelRuns: random.between(1, 4),
			budget: randomBudget(random),
			defaultBee: random.pick(['builder', 'scout']),
		},
	};
};

const changed = (random: Random, bee: Bee): Bee => {
	const {timeout: _timeout, ...timeless} = bee;
	return random.pick<Bee>([
		timeless,
		{...bee, timeout: 20_000},
		{...bee, worktree: !bee.worktree},
		{...bee, publishes: []},
		{...bee, subscribes: bee.subscribes.slice(1)},
		{...bee, sector: 'gone'},
	]);
};

import {accepted, type Detail, fileOf, type Outcome, type Refused, refuse} from '../domain/errors.ts';
import {hintNearest} from '../domain/nearest.ts';
import type {Bee, Colony} from './colony.ts';

/** The bee of that name, or why there is none. A broken file is named with its line. */
export const findBee = (colony: Colony, role: string): Outcome<Bee> => {
	const bee = colony.bees.get(role);
	return bee === undefined ? refuseBee(colony, role) : accepted(bee);
};

const refuseBee = (colony: Colony, name: string): Refused => {
	const broken = brokenBee(colony, name);
	if (broken !== undefined)
		return refuse('invalid_config', {
			message: `The bee "${name}" cannot be used: ${broken.path}: ${broken.message}.`,
			hint: broken.hint ?? 'Mend the file.',
		});
	return refuse('bee_not_found', {message: `There is no bee "${name}".`, hint: beeHint(colony, name)});
};

/** What is wrong with the file of a bee that could not be read; a broken overlay takes no bee away. */
export const brokenBee = (colony: Colony, name: string): Detail | undefined =>
	brokenBees(colony).find(detail => /^\.hive\/bees\/(.*)\.ya?ml$/.exec(fileOf(detail))?.[1] === name);

/** One problem of each bee file that could not be read. */
export const brokenBees = ({problems, bees}: Colony): readonly Detail[] => {
	const read = new Set([...bees.values()].map(({file}) => file));
	const broken = new Map<string, Detail>();
	for (const problem of problems) {
		const file = fileOf(problem);
		const isBee = /^\.hive\/bees\/[^/]*\.ya?ml$/.test(file) && !/\.local\.ya?ml$/.test(file);
		if (isBee && !read.has(file) && !broken.has(file)) broken.set(file, problem);
	}
	return [...broken.values()];
};

/** How to mend a name that no bee has. The bee may be in a file of another name that cannot be read. */
export const beeHint = (colony: Colony, name: string): string => {
	const own = brokenBee(colony, name);
	if (own !== undefined) return `Mend ${own.path}: ${own.message}.`;
	const unread = brokenBees(colony).map(({path, message}) => ` ${path}: ${message}.`);
	return `${hintNearest(name, colony.bees.keys())}${unread.join('')}`;
};

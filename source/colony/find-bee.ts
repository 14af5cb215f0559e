import {accepted, type Detail, fileOf, type Outcome, type Refused, refuse} from '../domain/errors.ts';
import {hintNearest} from '../domain/nearest.ts';
import type {Bee, Colony} from './colony.ts';

/** The bee with that role, or a refusal. For a broken file the refusal names file and line. */
export const findBee = (colony: Colony, role: string): Outcome<Bee> => {
	const bee = colony.bees.get(role);
	return bee === undefined ? refuseBee(colony, role) : accepted(bee);
};

const refuseBee = (colony: Colony, name: string): Refused => {
	const broken = brokenBee(colony, name);
	if (broken !== undefined)
		return refuse('invalid_config', {
			message: `The bee "${name}" cannot be used: ${broken.path}: ${broken.message}.`,
			hint: broken.hint ?? 'Fix the file.',
		});
	return refuse('bee_not_found', {message: `There is no bee "${name}".`, hint: beeHint(colony, name)});
};

/** The problem of a bee's file that could not be read. A broken overlay does not remove its bee. */
export const brokenBee = (colony: Colony, name: string): Detail | undefined =>
	brokenBees(colony).find(detail => /^\.hive\/bees\/(.*)\.ya?ml$/.exec(fileOf(detail))?.[1] === name);

/** One problem for each bee file that could not be read. */
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

/** A hint for an unknown role. The bee may be in an unreadable file of another name. */
export const beeHint = (colony: Colony, name: string): string => {
	const own = brokenBee(colony, name);
	if (own !== undefined) return `Fix ${own.path}: ${own.message}.`;
	const unread = brokenBees(colony).map(({path, message}) => ` ${path}: ${message}.`);
	return `${hintNearest(name, colony.bees.keys())}${unread.join('')}`;
};

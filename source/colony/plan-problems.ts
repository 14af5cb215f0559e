import type {Detail} from '../domain/errors.ts';
import {hintNearest} from '../domain/nearest.ts';
import type {PlanDraft} from '../domain/plan.ts';
import {beeOf, type Colony, publishesRoot, takesTasks} from './colony.ts';
import {beeHint} from './find-bee.ts';
import {paramProblems} from './plan-params.ts';

/** The problems of a plan in this colony (docs/rules.md §2), with paths such as `payload.tasks.1.bee`. */
export const explainPlanProblems = (colony: Colony, items: readonly PlanDraft[]): Detail[] =>
	items.flatMap((item, index) =>
		[
			beeProblem(colony, item),
			sectorProblem(colony, item),
			reviewProblem(colony, item),
			...paramProblems(colony, item.params),
		].flatMap(found => (found ? [{...found, path: `payload.tasks.${index}.${found.path}`}] : [])),
	);

/** A final gate is never dispatched, so it needs no bee (docs/architecture.md §6). */
const beeProblem = (colony: Colony, {bee: role = '', review}: PlanDraft): Detail | undefined => {
	if (typeof role !== 'string') return undefined;
	const bee = beeOf(colony, role);
	if (review === 'final' && role === '') return undefined;
	if (bee === undefined) return unknownBee(colony, role);
	if (review === 'final' || takesTasks(bee)) return undefined;
	return {
		path: 'bee',
		message: `the bee "${bee.role}" does not take tasks`,
		hint: `Choose ${listTakers(colony)}, or let ${bee.file} subscribe to task.ready.`,
	};
};

const unknownBee = (colony: Colony, role: string): Detail => {
	const name = role || colony.defaults.defaultBee;
	return {
		path: 'bee',
		message: role === '' ? `the default bee "${name}" does not exist` : `there is no bee "${name}"`,
		hint: beeHint(colony, name),
	};
};

const listTakers = ({bees}: Colony): string => {
	const takers = [...bees.values()].filter(takesTasks).map(({role}) => role);
	return takers.length === 0 ? 'another bee' : takers.join(' or ');
};

const sectorProblem = ({sectors}: Colony, {sector = ''}: PlanDraft): Detail | undefined =>
	typeof sector !== 'string' || sector === '' || sectors.has(sector)
		? undefined
		: {
				path: 'sector',
				message: `there is no sector "${sector}"`,
				hint: hintNearest(sector, sectors.keys()),
			};

const reviewProblem = (colony: Colony, {bee: role = '', review}: PlanDraft): Detail | undefined => {
	const bee = typeof role !== 'string' || role === '' ? undefined : beeOf(colony, role);
	if (review !== 'final' || bee === undefined || !publishesRoot(bee)) return undefined;
	return {
		path: 'review',
		message: `"final" is for isolated proposals, and the bee "${bee.role}" publishes code.proposal.root`,
		hint: 'Use review "required" or "none".',
	};
};

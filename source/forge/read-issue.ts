import type {ForgeSettings} from '../colony/forge.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {ForgeError, type ForgeIssue} from '../ports/forge.ts';
import {type ForgeKeys, reachForge} from './connect.ts';

/** Reads an issue at the forge of a colony. Refuses as `reachForge` does, and what the forge refuses. */
export const readIssue = async (
	settings: ForgeSettings,
	known: ReadonlySet<string>,
	keys: ForgeKeys,
	number: number,
): Promise<Outcome<ForgeIssue>> => {
	try {
		const reached = await reachForge(settings, known, keys);
		if (!reached.ok) return reached;
		const issue = await reached.value.forge.readIssue(number);
		if (issue.number === number && issue.url !== '') return accepted(issue);
		return refuse('forge_refused', {message: `The forge does not say which issue #${number} is.`});
	} catch (error) {
		if (!(error instanceof ForgeError)) throw error;
		return refusalOfRead(error, settings, number);
	}
};

const refusalOfRead = (
	{trouble, message}: ForgeError,
	{repository}: ForgeSettings,
	number: number,
): Outcome<never> => {
	switch (trouble) {
		case 'not_found':
			return refuse('issue_not_found', {message: `${repository} has no issue #${number} for this token.`});
		case 'unreachable':
		case 'limited':
		case 'conflict':
			return refuse('forge_unreachable', {message, hint: 'Try again. "hive doctor" shows what is wrong.'});
		default:
			return refuse('forge_refused', {message});
	}
};

import type {Detail} from '../domain/errors.ts';
import type {Colony} from './colony.ts';
import {contractRules} from './rules/contracts.ts';
import {programOf, referenceRules} from './rules/references.ts';
import type {Finding, MachineFacts, Rule, Trouble} from './rules/rule.ts';
import {levels} from './rules/rule.ts';
import {templateRules} from './rules/templates.ts';
import {wiringRules} from './rules/wiring.ts';

/** The doctor's checks that need no bus (docs/rules.md §9). */
export const rules: readonly Rule[] = [
	{
		id: 'files-read',
		level: 'error',
		says: 'Every file under .hive/ can be read.',
		check: ({problems}) => problems.map(detail => troubleOf(detail, 'Mend the file.')),
	},
	{
		id: 'files-plain',
		level: 'warning',
		says: 'No file under .hive/ says what has no effect or an older name.',
		check: ({warnings = []}) => warnings.map(detail => troubleOf(detail, 'Change the file.')),
	},
	...referenceRules,
	...wiringRules,
	...contractRules,
	...templateRules,
];

const troubleOf = ({path, message, hint}: Detail, fix: string): Trouble => ({
	path,
	message,
	fix: hint ?? fix,
});

/** What to look for on this machine before `checkColony`. */
export const needsOf = ({bees, sectors}: Colony): {programs: string[]; folders: string[]} => ({
	programs: [...new Set([...bees.values()].map(programOf))],
	folders: [...new Set(sectors.values())],
});

/** Everything the rules find, errors first, in the order of the table. */
export const checkColony = (colony: Colony, facts: MachineFacts): Finding[] =>
	rules
		.flatMap(({id, level, check}) => check(colony, facts).map(trouble => ({rule: id, level, ...trouble})))
		.sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));

import {awaitsAcceptance} from '../domain/awaiting-configuration.ts';
import type {Detail} from '../domain/errors.ts';
import {programOf} from './bee-programs.ts';
import type {Colony} from './colony.ts';
import {escapesNow} from './parse/reader.ts';
import {contractRules} from './rules/contracts.ts';
import {inviteRules} from './rules/invites.ts';
import {referenceRules} from './rules/references.ts';
import type {Finding, MachineFacts, Rule, Trouble} from './rules/rule.ts';
import {levels} from './rules/rule.ts';
import {templateRules} from './rules/templates.ts';
import {programsThatVerify, verificationRules} from './rules/verification.ts';
import {wiringRules} from './rules/wiring.ts';

/** The doctor's checks that work without a bus (docs/rules.md §9). */
export const rules: readonly Rule[] = [
	{
		id: 'files-read',
		level: 'error',
		says: 'Every file under .hive/ can be read.',
		check: colony => colony.problems.map(detail => unread(colony, detail)),
	},
	{
		id: 'files-plain',
		level: 'warning',
		says: 'No file under .hive/ has a setting without effect, or with an older name.',
		check: ({warnings = []}) =>
			warnings.filter(isNoEscape).map(detail => troubleOf(detail, 'Change the file.')),
	},
	{
		id: 'commands-escape',
		level: 'advisory',
		says: 'No command line has a backslash escape.',
		check: ({warnings = []}) =>
			warnings.filter(detail => !isNoEscape(detail)).map(detail => troubleOf(detail, 'Change the file.')),
	},
	...referenceRules,
	...wiringRules,
	...inviteRules,
	...contractRules,
	...verificationRules,
	...templateRules,
];

const isNoEscape = ({message}: Detail): boolean => message !== escapesNow;

const unread = (colony: Colony, detail: Detail): Trouble => {
	const {fix, ...trouble} = troubleOf(detail, 'Fix the file.');
	if (awaitsAcceptance(detail)) return {...trouble, fix};
	return {...trouble, fix: isLeftOut(colony, detail) ? `${fix} Until then its bee is left out.` : fix};
};

/**
 * True if the file should define a bee, but none was read from it. An overlay only changes the bee of another
 * file.
 */
const isLeftOut = ({bees}: Colony, {path}: Detail): boolean =>
	path.startsWith('.hive/bees/') &&
	!path.includes('.local.y') &&
	![...bees.values()].some(({file}) => path.startsWith(file));

const troubleOf = ({path, message, hint}: Detail, fix: string): Trouble => ({
	path,
	message,
	fix: hint ?? fix,
});

/** The programs and folders to look up on this machine before `checkColony`. */
export const needsOf = (colony: Colony): {programs: string[]; folders: string[]} => ({
	programs: [
		...new Set([...[...colony.bees.values()].map(bee => programOf(bee)), ...programsThatVerify(colony)]),
	],
	folders: [...new Set(colony.sectors.values())],
});

/** All findings of the rules, errors first, in the order of the table. */
export const checkColony = (colony: Colony, facts: MachineFacts): Finding[] =>
	rules
		.flatMap(({id, level, check}) => check(colony, facts).map(trouble => ({rule: id, level, ...trouble})))
		.sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));

const nothingMissing: MachineFacts = {missingPrograms: new Set(), missingFolders: new Set()};

/** The errors that the files alone show. */
export const errorsIn = (colony: Colony): Finding[] =>
	checkColony(colony, nothingMissing).filter(({level}) => level === 'error');

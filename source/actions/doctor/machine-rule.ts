import type {Colony} from '../../colony/colony.ts';
import type {Rule, Trouble} from '../../colony/rules/rule.ts';
import type {Survey} from './survey.ts';

/** The survey, and the input of the colony's own checks. */
export type Examined = Survey & {
	readonly colony: Colony | undefined;
	readonly missingPrograms: ReadonlySet<string>;
};

/** A check of anything outside the colony's own files. */
export type MachineRule = Omit<Rule, 'check'> & {readonly check: (examined: Examined) => readonly Trouble[]};

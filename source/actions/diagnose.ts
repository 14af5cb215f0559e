import {programOf} from '../colony/bee-programs.ts';
import type {Bee, Colony} from '../colony/colony.ts';
import {loadColony} from '../colony/load-colony.ts';
import type {MachineFile} from '../colony/parse/machine.ts';
import {type Finding, levels} from '../colony/rules/rule.ts';
import {checkColony, needsOf, rules} from '../colony/rules.ts';
import {wantsContainment} from '../domain/containment.ts';
import {accepted, type Detail, type Outcome} from '../domain/errors.ts';
import type {CanContain} from '../ports/containment.ts';
import type {ServerReport} from '../ports/event-store.ts';
import {machineRules} from './doctor/machine-rules.ts';
import {missingNeeds} from './doctor/missing-needs.ts';
import {type MachineSurvey, type SurveyContext, surveyMachine} from './doctor/survey.ts';
import {readToolAdvice} from './tool-advice.ts';

/** The report of `hive doctor`: every check, and the findings, errors first. */
export type Diagnosis = {
	readonly checks: readonly (Pick<Finding, 'rule' | 'level'> & {
		/** The statement that is true when the check finds nothing. */
		readonly says: string;
	})[];
	readonly findings: readonly Finding[];
	/**
	 * If bees need an agent tool and none is on PATH: the available tools and how to install each, one line
	 * each. Otherwise empty.
	 */
	readonly toolAdvice: readonly string[];
	/** Whether this machine can contain programs. */
	readonly containment: CanContain & {
		/** True if a bee asks for it. */
		readonly isWanted: boolean;
	};
	/** The message bus, if one is configured and answers, and the other checkouts that share it. */
	readonly bus: (ServerReport & Pick<MachineSurvey, 'places'> & {readonly address: string}) | undefined;
};

/**
 * Examines a colony and this machine, and creates nothing. Refuses only without a colony (`no_colony`). A
 * `colony.yaml` that cannot be read is a finding, and the machine is examined all the same.
 */
export const diagnose = async (context: SurveyContext): Promise<Outcome<Diagnosis>> => {
	const loaded = await loadColony(context.files, context.root);
	if (!loaded.ok && loaded.refusal.code === 'no_colony') return loaded;
	const survey = await surveyMachine(context, loaded.ok ? loaded.value : undefined);
	const colony = loaded.ok ? usingSettings(loaded.value, survey.settings) : undefined;
	const facts = colony && (await missingNeeds(context, needsOf(colony)));
	const ofColony = colony && facts ? checkColony(colony, facts) : unreadable(loaded);
	const ofMachine = machineRules.flatMap(({id, level, check}) =>
		check({...survey, colony, missingPrograms: facts?.missingPrograms ?? new Set()}).map(trouble => ({
			rule: id,
			level,
			...trouble,
		})),
	);
	const {which} = context.processes;
	const isMissing = (bee: Bee): boolean => facts?.missingPrograms.has(programOf(bee)) === true;
	return accepted({
		toolAdvice: colony === undefined ? [] : await readToolAdvice(which, colony, isMissing),
		checks: [...machineRules, ...rules].map(({id, level, says}) => ({rule: id, level, says})),
		containment: {
			...survey.containment,
			isWanted: [...(colony?.bees.values() ?? [])].some(({contain}) => wantsContainment(contain)),
		},
		bus: busOf(survey.machine),
		findings: [...ofMachine, ...ofColony].sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level)),
	});
};

const busOf = ({store, location, places}: MachineSurvey): Diagnosis['bus'] =>
	'server' in store && store.server !== undefined ? {address: location, ...store.server, places} : undefined;

const unreadable = (loaded: Outcome<Colony>): Finding[] => {
	const details: readonly Detail[] = loaded.ok ? [] : loaded.refusal.details;
	return details.map(({path, message, hint}) => ({
		rule: 'files-read',
		level: 'error',
		path,
		message,
		fix: hint ?? 'Fix the file; "hive init" adds missing files.',
	}));
};

/**
 * Returns the colony as this machine runs it: each bee has the program that `adapters/*.yaml` names for its
 * adapter.
 */
const usingSettings = (colony: Colony, settings: MachineFile['adapters']): Colony => ({
	...colony,
	bees: new Map([...colony.bees].map(([role, bee]) => [role, withBinary(bee, settings)])),
});

/** Applies the adapters' precedence: a command, the bee's own `binary`, the machine's, the adapter's name. */
const withBinary = (bee: Bee, settings: MachineFile['adapters']): Bee => {
	const program = programOf(bee, settings);
	return program === programOf(bee) ? bee : {...bee, params: {...bee.params, binary: program}};
};

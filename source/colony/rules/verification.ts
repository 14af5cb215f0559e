import type {Colony, Verify} from '../colony.ts';
import {proposesIn} from '../colony.ts';
import {eachBee, type MachineFacts, type Rule, type Trouble} from './rule.ts';

/** Rules about the verification of proposals (docs/rules.md §9). */
export const verificationRules: readonly Rule[] = [
	{
		id: 'verify-unproposed',
		level: 'warning',
		says: 'A bee proposes what "verify" verifies.',
		check: colony => [...idleBees(colony), ...idleColony(colony)],
	},
	{
		id: 'verify-unmet',
		level: 'error',
		says: 'Every required verification can pass.',
		check: (colony, facts) => missing(colony, facts, true),
	},
	{
		id: 'verify-program',
		level: 'warning',
		says: 'The programs that verify are on PATH.',
		check: (colony, facts) => missing(colony, facts, false),
	},
];

const idleBees = (colony: Colony): Trouble[] =>
	eachBee(colony, bee =>
		bee.verify === undefined || bee.verify === 'disabled' || proposesIn(bee) !== undefined
			? []
			: [
					{
						message: `"${bee.role}" has a "verify", but proposes nothing that could be verified`,
						fix: 'Publish the proposals of its workspace, or remove "verify".',
					},
				],
	);

const idleColony = ({verify, bees}: Colony): Trouble[] =>
	verify === undefined ||
	[...bees.values()].some(bee => bee.verify === undefined && proposesIn(bee) !== undefined)
		? []
		: [
				{
					path: '.hive/colony.yaml',
					message: 'no bee proposes what "verify" would verify',
					fix: 'Let a bee publish proposals, or remove "verify".',
				},
			];

/** Every `verify` with its file: in colony.yaml, and in bees that have their own. */
const verifySources = ({verify, bees}: Colony): {readonly path: string; readonly verify: Verify}[] =>
	[
		{path: '.hive/colony.yaml', verify},
		...[...bees.values()].map(bee => ({path: bee.file, verify: bee.verify})),
	].flatMap(source =>
		source.verify === undefined || source.verify === 'disabled'
			? []
			: [{path: source.path, verify: source.verify}],
	);

const missing = (colony: Colony, {missingPrograms}: MachineFacts, required: boolean): Trouble[] =>
	verifySources(colony)
		.filter(({verify}) => verify.required === required)
		.flatMap(({path, verify}) =>
			programsOf(verify)
				.filter(program => missingPrograms.has(program))
				.map(program => ({
					path,
					message: required
						? `"verify" is required and runs "${program}", which is not on PATH: tasks that need it cannot be completed`
						: `"verify" runs "${program}", which is not on PATH`,
					fix: /\s/.test(program)
						? 'Write several commands as a list of lists, or of one command as one line.'
						: 'Install it, or change the command.',
				})),
		);

/**
 * Programs that can be looked up on PATH. A relative path is part of the tree, and variables are set per run.
 */
const programsOf = ({commands}: Verify): string[] =>
	commands.flatMap(([program = '']) =>
		/^[^$]+$/.test(program) && !/^[^/].*\//.test(program) ? [program] : [],
	);

/** The programs to look up before the rules are checked. */
export const programsThatVerify = (colony: Colony): string[] =>
	verifySources(colony).flatMap(({verify}) => programsOf(verify));

import {kindRule, limitsOf} from '../../domain/event-kinds.ts';
import {hintNearest} from '../../domain/nearest.ts';
import {formatInstallHint} from '../agent-tools.ts';
import {programOf} from '../bee-programs.ts';
import {beeOf, type Colony, publishesRoot, takesTasks} from '../colony.ts';
import {beeHint} from '../find-bee.ts';
import type {Rule, Trouble} from './rule.ts';

/** Rules that referenced names exist. */
export const referenceRules: readonly Rule[] = [
	{
		id: 'default-bee',
		level: 'error',
		says: 'The default bee exists and takes tasks.',
		check: colony => checkDefaultBee(colony),
	},
	{
		id: 'sector-known',
		level: 'error',
		says: 'Every sector that a bee names is in colony.yaml.',
		check: colony => unknownSectors(colony),
	},
	{
		id: 'sector-folder',
		level: 'warning',
		says: 'Every sector is a folder of the repository.',
		check: ({sectors}, {missingFolders}) =>
			[...sectors]
				.filter(([, path]) => missingFolders.has(path))
				.map(([sector, path]) => ({
					path: '.hive/colony.yaml',
					message: `the folder ${path} of the sector "${sector}" does not exist`,
					fix: 'Create the folder, or change the path.',
				})),
	},
	{
		id: 'cue-bee',
		level: 'error',
		says: 'Every task cue names a bee that takes tasks.',
		check: colony => checkCueBees(colony),
	},
	{
		id: 'review-final-root',
		level: 'error',
		says: 'A final review is for isolated proposals.',
		check: colony => finalOnRoot(colony),
	},
	{
		id: 'cue-kind',
		level: 'error',
		says: 'Every cue publishes a kind of its own event type.',
		check: colony => mistypedCues(colony),
	},
	{
		id: 'forge-watch-cue',
		level: 'error',
		says: 'The cue for issues with a label exists.',
		check: colony => checkWatchCue(colony),
	},
	{
		id: 'cue-heard',
		level: 'warning',
		says: 'A bee takes the signal of every cue.',
		check: colony => cuesWithoutBee(colony),
	},
	{
		id: 'program-found',
		level: 'warning',
		says: 'The program of every bee is on PATH.',
		check: (colony, {missingPrograms}) =>
			[...colony.bees.values()]
				.flatMap(bee => ({bee, program: programOf(bee)}))
				.filter(({program}) => missingPrograms.has(program))
				.map(({bee, program}) => ({
					path: bee.file,
					message: `"${bee.role}" runs "${program}", which is not ${program.includes('/') ? 'there or not executable' : 'on PATH'}`,
					fix: `Install ${formatInstallHint(program)}, or give the bee another command.`,
				})),
	},
];

const checkWatchCue = ({forge, cues}: Colony): Trouble[] => {
	const {cue} = forge?.watch ?? {};
	if (cue === undefined || cues.has(cue)) return [];
	return [
		{
			path: '.hive/colony.yaml',
			message: `"watch" of "forge" names the cue "${cue}", which does not exist`,
			fix: hintNearest(cue, cues.keys()),
		},
	];
};

const cueFile = (id: string): string => `.hive/cues/${id}.yaml`;

const checkDefaultBee = (colony: Colony): Trouble[] => {
	const bee = beeOf(colony, '');
	const name = colony.defaults.defaultBee;
	const path = '.hive/colony.yaml';
	if (bee === undefined)
		return [
			{
				path,
				message: `the default bee "${name}" does not exist`,
				fix: `Set defaults.default_bee. ${beeHint(colony, name)}`,
			},
		];
	if (takesTasks(bee)) return [];
	return [
		{
			path,
			message: `the default bee "${name}" does not take tasks`,
			fix: `Let ${bee.file} subscribe to SIGNAL task.ready.`,
		},
	];
};

const unknownSectors = ({bees, sectors}: Colony): Trouble[] =>
	[...bees.values()].flatMap(({file, role, sector}) =>
		sector === undefined || sectors.has(sector)
			? []
			: [
					{
						path: file,
						message: `"${role}" works in the sector "${sector}", which colony.yaml does not have`,
						fix: `Add it under sectors, or change the bee. ${hintNearest(sector, sectors.keys())}`,
					},
				],
	);

const checkCueBees = (colony: Colony): Trouble[] =>
	[...colony.cues.values()].flatMap(({id, emit, bee: role = ''}) => {
		const bee = beeOf(colony, role);
		if (emit !== 'task' || (bee && takesTasks(bee))) return [];
		return [
			{
				path: cueFile(id),
				message: bee ? `the bee "${role}" does not take tasks` : `there is no bee "${role}"`,
				fix: bee ? 'Choose another bee.' : beeHint(colony, role || colony.defaults.defaultBee),
			},
		];
	});

const finalOnRoot = (colony: Colony): Trouble[] =>
	[...colony.cues.values()].flatMap(({id, review, bee: role = ''}) => {
		const bee = beeOf(colony, role);
		if (review !== 'final' || bee === undefined || !publishesRoot(bee)) return [];
		return [
			{
				path: cueFile(id),
				message: `review: final, but "${bee.role}" publishes code.proposal.root`,
				fix: 'Use review: required or none.',
			},
		];
	});

const mistypedCues = ({cues}: Colony): Trouble[] =>
	[...cues.values()].flatMap(({id, kind = ''}) => {
		const type = kindRule(kind)?.type ?? 'SIGNAL';
		if (type === 'SIGNAL') return [];
		return [
			{
				path: cueFile(id),
				message: `${kind} is a kind of ${type}, and a cue publishes a SIGNAL`,
				fix: 'Name a kind of signal, or use emit: task.',
			},
		];
	});

/** Kinds that hive itself handles, or that are not signals, need no bee. */
const cuesWithoutBee = ({cues, bees, autoInvites = []}: Colony): Trouble[] =>
	[...cues.values()].flatMap(({id, emit, kind = ''}) => {
		if (limitsOf(kind).notDirect || (kindRule(kind)?.type ?? 'SIGNAL') !== 'SIGNAL') return [];
		const isSubscribed = [...bees.values()].some(({subscribes}) =>
			subscribes.some(
				rule => rule.type === 'SIGNAL' && rule.dispatch === 'direct' && (rule.kind ?? kind) === kind,
			),
		);
		const isInviting = autoInvites.some(({when}) => when.type === 'SIGNAL' && when.kind === kind);
		if (emit !== 'signal' || isSubscribed || isInviting) return [];
		return [
			{
				path: cueFile(id),
				message: `no bee takes ${kind}`,
				fix: `Let a bee subscribe to SIGNAL ${kind} with dispatch: direct.`,
			},
		];
	});

import {join} from 'node:path';
import {formatInstallHint} from '../../colony/agent-tools.ts';
import {programOf} from '../../colony/bee-programs.ts';
import {beeOf, type Colony} from '../../colony/colony.ts';
import type {Trouble} from '../../colony/rules/rule.ts';
import type {Trace} from '../../domain/trace.ts';
import {missingHint} from '../../runs/newest-event.ts';
import type {CheckoutNote} from '../../workspaces/worktree/checkout-notes.ts';
import {shortTree} from '../approval.ts';
import {busRules} from './bus-rules.ts';
import {chatRules} from './chat-rules.ts';
import {containRules} from './contain-rules.ts';
import {forgeRules} from './forge-rules.ts';
import type {Examined, MachineRule} from './machine-rule.ts';
import type {MachineSurvey} from './survey.ts';

/** The doctor's checks of this machine and checkout. */
export const machineRules: readonly MachineRule[] = [
	{
		id: 'git-version',
		level: 'error',
		says: 'git 2.38 or newer is installed.',
		check: ({gitVersion}) => checkGit(gitVersion),
	},
	{
		id: 'perl',
		level: 'error',
		says: 'perl is installed, which supervises runs.',
		check: ({hasPerl}) =>
			hasPerl
				? []
				: [{path: 'perl', message: 'is not on PATH', fix: 'Install it; the perl-base of Debian is enough.'}],
	},
	{
		id: 'checkout-known',
		level: 'error',
		says: 'This checkout is registered on this machine.',
		check: ({machine: {isKnown, folder}, root}) =>
			isKnown
				? []
				: [
						{
							path: folder,
							message: `${root} is not registered on this machine`,
							fix: 'Run "hive init" here once.',
						},
					],
	},
	{
		id: 'machine-files',
		level: 'error',
		says: 'config.yaml, terminal.yaml, chat.yaml and adapters/*.yaml of this machine can be read.',
		check: ({machine}) =>
			machine.problems.map(({path, message, hint}) => ({path, message, fix: hint ?? 'Fix the file.'})),
	},
	{
		id: 'machine-commands-escape',
		level: 'advisory',
		says: 'No command line in config.yaml or terminal.yaml has a backslash escape.',
		check: ({machine}) =>
			machine.warnings.map(({path, message, hint}) => ({path, message, fix: hint ?? 'Change the file.'})),
	},
	{
		id: 'store',
		level: 'error',
		says: 'The event log can be opened and written.',
		check: ({machine: {store, location}}) => checkStore(store, location),
	},
	...busRules,
	...chatRules,
	...forgeRules,
	...containRules,
	{
		id: 'log-whole',
		level: 'error',
		says: 'The event log has every event from which .hive/runs and its checkpoints were made.',
		check: ({machine: {missingInLog, location, store}}) =>
			missingInLog === undefined
				? []
				: [{path: location, message: missingInLog, fix: missingHint({isShared: 'server' in store})}],
	},
	{
		id: 'program-awaited',
		level: 'error',
		says: 'No ready task waits for a program that is missing.',
		check: examined => awaitedPrograms(examined),
	},
	{
		id: 'git-opens',
		level: 'error',
		says: 'Git opens the checkout and finds its files.',
		check: ({unusable, root}) =>
			unusable === undefined ? [] : [{path: root, message: unusable.message, fix: unusable.hint}],
	},
	{
		id: 'first-commit',
		level: 'warning',
		says: 'The repository has a commit that worktrees can start from.',
		check: ({hasCommit, unusable, root}) =>
			hasCommit || unusable !== undefined
				? []
				: [{path: root, message: 'there is no commit yet', fix: 'Commit something first.'}],
	},
	{
		id: 'branch-checked-out',
		level: 'warning',
		says: 'A branch is checked out that new work can be merged into.',
		check: ({checkoutNotes}) => notesOf(checkoutNotes, 'detached-head'),
	},
	{
		id: 'base-shared',
		level: 'error',
		says: 'Where "land.push" is required, the upstream of the branch answers a push.',
		check: ({root, machine: {unshared}}) =>
			unshared === undefined ? [] : [{path: root, message: unshared.message, fix: unshared.hint}],
	},
	{
		id: 'hooks-not-run',
		level: 'warning',
		says: 'No git hook guards commits and merges, since hive runs no hooks.',
		check: ({checkoutNotes}) => notesOf(checkoutNotes, 'hooks-not-run'),
	},
	{
		id: 'submodules-filled',
		level: 'warning',
		says: 'Every submodule is checked out, so that worktrees can copy it.',
		check: ({checkoutNotes}) => notesOf(checkoutNotes, 'submodules-empty'),
	},
	{
		id: 'own-hive',
		level: 'warning',
		says: 'The first hive on PATH is this one.',
		check: ({foreignHive}) =>
			foreignHive === undefined
				? []
				: [
						{
							path: foreignHive,
							message: 'is another program of this name, and comes first on PATH',
							fix: 'Put the folder of this hive first on PATH. Agents use this hive in any case.',
						},
					],
	},
	{
		id: 'key-in-argv',
		level: 'warning',
		says: 'No API key is passed to an agent on its command line.',
		check: ({machine, settings, colony}) => keysInArgv(machine, settings, colony),
	},
	{
		id: 'in-force',
		level: 'warning',
		says: 'The reactor uses the configuration that is in the files.',
		check: ({machine, colony}) => heldBack(machine, colony),
	},
	{
		id: 'git-locks',
		level: 'warning',
		says: 'No lock file of git is left over.',
		check: ({gitLocks}) =>
			gitLocks.map(path => ({
				path,
				message: 'git refuses to work while this lock is there',
				fix: 'Remove it if no git command is running.',
			})),
	},
	{
		id: 'merge-interrupted',
		level: 'warning',
		says: 'No merge was interrupted.',
		check: ({machine}) => interruptedMerges(machine),
	},
	{
		id: 'worktree-trace',
		level: 'warning',
		says: 'Every trace worktree belongs to a trace.',
		check: ({machine: {traces}, worktrees}) =>
			worktrees
				.filter(name => traces !== undefined && !traces.has(name))
				.map(name => ({
					path: `.hive/worktrees/${name}`,
					message: 'is a worktree of no trace that hive knows',
					fix: `Save what you need, then "git worktree remove .hive/worktrees/${name}".`,
				})),
	},
	{
		id: 'other-checkouts',
		level: 'advisory',
		says: 'This is the only checkout of the colony on this machine.',
		check: ({machine}) =>
			machine.others.map(({folder, root, isThere}) => ({
				path: folder,
				message: isThere ? `${root} is a checkout of this colony too` : `its checkout ${root} is gone`,
				fix: isThere
					? 'Nothing to do: each trace is worked on, shown and merged in its own checkout.'
					: 'If the checkout was moved, "hive init" in its new place takes over its log. If it was deleted, remove this folder once you need nothing from it.',
			})),
	},
	{
		id: 'reactor',
		level: 'advisory',
		says: 'A reactor is alive when there is work.',
		check: ({machine}) => idleWork(machine),
	},
];

const notesOf = (notes: readonly CheckoutNote[], kind: CheckoutNote['kind']): Trouble[] =>
	notes.filter(note => note.kind === kind).map(({path, message, fix}) => ({path, message, fix}));

const oldestGit = [2, 38] as const;

const checkGit = (version: string): Trouble[] => {
	const fix = `Install git ${oldestGit.join('.')} or newer.`;
	const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
	if (version === '') return [{path: 'git', message: 'cannot be started', fix}];
	const isNew = major > oldestGit[0] || (major === oldestGit[0] && minor >= oldestGit[1]);
	return isNew ? [] : [{path: 'git', message: `${version} is too old for merges in memory`, fix}];
};

/**
 * Problems that only the reactor reports. Its problems with files that were never valid are found in the
 * files too.
 */
const heldBack = ({reactorProblems}: MachineSurvey, colony: Colony | undefined): Trouble[] =>
	reactorProblems
		.filter(({path, message}) => !colony?.problems.some(own => own.path === path && own.message === message))
		.map(({path, message, hint}) => ({path, message, fix: hint ?? 'Fix the file.'}));

/**
 * The spec has beta take its key as an argument. A bee with its own command determines its arguments itself.
 */
const keysInArgv = (
	{folder}: MachineSurvey,
	settings: Examined['settings'],
	colony: Colony | undefined,
): Trouble[] => {
	const name = settings.beta?.apiKeyEnv;
	const roles = [...(colony?.bees.values() ?? [])]
		.filter(({adapter, command}) => adapter === 'beta' && command === undefined)
		.map(({role}) => role);
	if (name === undefined || roles.length === 0) return [];
	return [
		{
			path: join(folder, 'adapters/beta.yaml'),
			message: `beta takes the API key in "${name}" as --api-key: every user of this machine can read it while ${roles.join(', ')} runs`,
			fix: 'Remove "api_key_env" and log in with the tool itself, or set the variable that its provider reads.',
		},
	];
};

const checkStore = (store: MachineSurvey['store'], path: string): Trouble[] => {
	if (store.state === 'newer')
		return [{path, message: 'a newer hive wrote the log; it can only be read', fix: 'Update hive.'}];
	if (store.state !== 'broken') return [];
	return [{path, message: store.reason, fix: 'Check the disk and the permissions; keep a copy of the file.'}];
};

const awaitedPrograms = ({machine, colony, missingPrograms}: Examined): Trouble[] =>
	tasksIn(machine).flatMap(({traceId, taskId, bee: role}) => {
		const bee = colony && beeOf(colony, role);
		if (bee === undefined || !missingPrograms.has(programOf(bee))) return [];
		return [
			{
				path: bee.file,
				message: `${taskId} of ${traceId} is ready and needs "${programOf(bee)}", which is not on PATH`,
				fix: `Install ${formatInstallHint(programOf(bee))}, or give "${bee.role}" another command.`,
			},
		];
	});

const tasksIn = (machine: MachineSurvey) =>
	liveTraces(machine).flatMap(({traceId, tasks}) =>
		[...tasks.values()].filter(({status}) => status === 'ready').map(task => ({...task, traceId})),
	);

const liveTraces = (machine: MachineSurvey): Trace[] =>
	[...(machine.traces?.values() ?? [])].filter(({killed}) => !killed);

const treeFlag = (merge: NonNullable<Trace['merge']>): string =>
	merge.taskId === undefined ? '' : ` --tree ${shortTree(merge.tree)}`;

const interruptedMerges = ({traces, isWorkedOn}: MachineSurvey): Trouble[] =>
	[...(traces?.values() ?? [])].flatMap(({traceId, merge}) =>
		merge === undefined || isWorkedOn(traceId)
			? []
			: [
					{
						path: traceId,
						message: `its merge for ${merge.taskId} was claimed and is not over`,
						fix: `Run "hive proposal approve --trace ${traceId} --task ${merge.taskId}${treeFlag(merge)}" to finish it.`,
					},
				],
	);

const idleWork = (machine: MachineSurvey): Trouble[] => {
	const waiting = tasksIn(machine).filter(({traceId}) => !machine.isWorkedOn(traceId)).length;
	if (waiting === 0) return [];
	const tasks = waiting === 1 ? '1 task is' : `${waiting} tasks are`;
	return [{path: machine.folder, message: `${tasks} ready and nothing starts them`, fix: 'Run "hive run".'}];
};

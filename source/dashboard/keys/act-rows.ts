import {awaitsAcceptance} from '../../domain/awaiting-configuration.ts';
import {mayMove} from '../../domain/invite.ts';
import {waitLabel} from '../../domain/wait-labels.ts';
import {isAskable} from '../../host/actions/action.ts';
import {commandLineOf} from '../../host/actions/command-line.ts';
import {type ActionId, actionIds, actionTable} from '../../host/actions/table.ts';
import {asksPerson} from '../../host/views/run.ts';
import {isFinalGate} from '../forms/target.ts';
import {markedReviews} from '../store/marked-reviews.ts';
import {type Subject, sessionList, subjectOf} from '../store/selectors.ts';
import {isOpen} from '../store/sessions.ts';
import type {State} from '../store/state.ts';
import type {Row} from './row.ts';

/** The reason if no trace is selected. */
export const needsTrace = (state: State): string | undefined =>
	subjectOf(state).trace ? undefined : 'Select a trace first.';

const needsOpenSession = (state: State): string | undefined => {
	const row = sessionList.selected(state);
	return row && isOpen(row.session) ? undefined : 'No open session is selected.';
};

const labelFor = (waitsFor: string | undefined, id: ActionId): string | undefined =>
	waitLabel(waitsFor, id)?.toLowerCase();

/** The label for retrying the selected run. A run with a question takes an answer. */
const repeatLabel = (state: State): string | undefined => {
	const {trace, run} = subjectOf(state);
	return trace && run && asksPerson(trace, run) ? labelFor('question', 'bee.retry') : undefined;
};

/** A row for an action of the action table: when it is possible, and its command. */
const does = <const Id extends ActionId>(id: Id, input: object = {}) => ({
	action: id,
	scope: 'everywhere' as const,
	acts: true as const,
	says: (state: State) => labelFor(subjectOf(state).task?.waitsFor, id),
	blocked: (state: State) => actionTable[id].blocked?.({...subjectOf(state), activities: state.activities}),
	command: ({trace, task}: Subject) =>
		commandLineOf(actionTable[id], {traceId: trace?.traceId, taskId: task?.taskId, ...input}),
});

/** A row that decides about the shown plan. */
const decides = <const Id extends ActionId>(id: Id) => ({...does(id), scope: 'plan' as const});

/** A row that answers the selected invite. */
const answers = <const Id extends ActionId>(id: Id) => ({
	...does(id),
	scope: 'invite' as const,
	command: ({invite}: Subject) => `hive ${id.replace('.', ' ')} ${invite?.inviteId}`,
});

const needsRejectable = (state: State): string | undefined => {
	const {invite} = subjectOf(state);
	return invite && mayMove(invite.status, 'cancelled') ? undefined : 'This invite can only be accepted.';
};

const whyNotApproved = (state: State): string | undefined =>
	markedReviews(state).length > 0 ? undefined : does('proposal.approve').blocked(state);

/** Offered for what did not land. The dialog of a merge offers it for a tree that failed before. */
const whyNotRetried = (state: State): string | undefined => {
	const {trace, task} = subjectOf(state);
	const isLeft = trace?.landingLeft !== undefined && trace.landingLeft.taskId === task?.taskId;
	return does('landing.retry').blocked(state) ?? (isLeft ? undefined : 'Nothing here failed to land.');
};

const whyNotRequested = (state: State): string | undefined => {
	if (state.survey?.hasForge === undefined) return 'The colony names no forge for pull requests.';
	const {task} = subjectOf(state);
	const isFinal = task === undefined || isFinalGate(task);
	return does('proposal.approve').blocked(state) ?? (isFinal ? undefined : 'Only a final review goes there.');
};

const needsAwaiting = ({survey}: State): string | undefined =>
	survey?.problems.some(awaitsAcceptance) ? undefined : 'No change below .hive/ waits for you.';

const named = [
	{
		...does('proposal.approve'),
		blocked: whyNotApproved,
		keys: ['a'],
		label: 'approve',
		short: 'appr',
		help: 'Approve what waits; the final gate merges.',
		first: 7,
		hint: 5,
	},
	{
		...does('proposal.reject'),
		keys: ['x'],
		label: 'reject',
		short: 'rej',
		help: 'Reject with what should change.',
		first: 8,
		hint: 5,
	},
	{
		...decides('plan.accept'),
		keys: ['a'],
		label: 'accept plan',
		short: 'accept',
		help: 'Accept the plan: its tasks start in their turn.',
		hint: 5,
	},
	{
		...decides('plan.return'),
		keys: ['x'],
		label: 'send back',
		short: 'back',
		help: 'Send the plan back to the bee that made it, with your words.',
		hint: 5,
	},
	{
		...decides('plan.edit'),
		keys: ['O'],
		label: 'edit plan',
		short: 'edit',
		help: 'Edit the plan as YAML in $EDITOR.',
		hint: 5,
	},
	{
		...answers('invite.accept'),
		keys: ['a'],
		label: 'accept',
		short: 'acc',
		help: 'Accept the invite: a session with its bee begins.',
		hint: 5,
	},
	{
		...answers('invite.reject'),
		blocked: needsRejectable,
		keys: ['x'],
		label: 'reject',
		short: 'rej',
		help: 'Reject the invite, or put it off until later.',
		hint: 5,
	},
	{
		...does('proposal.update'),
		keys: ['u'],
		label: 'update',
		help: 'Merge the base into the work; conflicts become a rework task.',
	},
	{
		...does('task.retry'),
		keys: ['t'],
		label: 'retry',
		help: 'Run the task again, with words if it waits; or answer its question.',
		hint: 9,
	},
	{
		...does('bee.retry'),
		scope: 'run',
		says: repeatLabel,
		command: ({run}: Subject) => `hive bee retry ${run?.agentId}`,
		keys: ['t'],
		label: 'retry',
		help: 'Repeat this run, with words, or answer its question.',
		hint: 9,
	},
	{
		...does('landing.cancel'),
		keys: ['L'],
		label: 'stop landing',
		help: 'Take an approved merge out of the landing queue.',
		hint: 6,
	},
	{
		...does('landing.retry'),
		blocked: whyNotRetried,
		keys: ['R'],
		label: 'check again',
		help: 'Approve again what did not land: its checks run once more.',
		hint: 6,
	},
	{
		...does('forge.send'),
		keys: ['S'],
		label: 'send to agent',
		short: 'send',
		help: 'Send failed checks and comments of the pull request to the agent.',
		hint: 6,
	},
	{...does('task.cancel'), keys: [], label: 'cancel task', help: 'Cancel one task and what needs it.'},
	{
		...does('energy.add', {amount: 5}),
		keys: ['+'],
		label: 'honey',
		help: 'Add honey, or raise a limit of the trace.',
		hint: 10,
	},
	{
		...does('kill'),
		keys: ['K'],
		label: 'kill',
		help: 'Kill the trace: stop its bees and tasks.',
		hint: 11,
	},
	{
		...does('cue.run'),
		command: () => 'hive cue run <cue>',
		keys: ['c'],
		label: 'cue',
		help: 'Run a cue: start something new.',
		first: 1,
		hint: 11,
	},
	{
		...does('bee.chat'),
		command: () => 'hive bee chat <role>',
		keys: ['C'],
		label: 'chat',
		help: 'Talk with a bee in its own program.',
		hint: 13,
	},
	{
		...does('session.stop'),
		scope: 'sessions',
		blocked: needsOpenSession,
		command: ({run}: Subject) => commandLineOf(actionTable['session.stop'], {sessionId: run?.agentId}),
		keys: ['K'],
		label: 'stop',
		help: 'Stop the session: its program and all that it started.',
		hint: 11,
	},
	{
		...does('configuration.accept'),
		blocked: needsAwaiting,
		command: () => 'hive doctor --accept',
		keys: ['F'],
		label: 'files',
		help: 'Show what was changed below .hive/ while runs were open, and accept it.',
		hint: 6,
	},
] as const satisfies readonly Row[];

const hasName = (id: ActionId): boolean => named.some(({action}) => action === id);

/**
 * Rows of actions that change something. Those with a key or a shorter name come first, then all others that
 * a person may use.
 */
export const actRows: readonly (Row & {readonly action: ActionId})[] = [
	...named,
	...actionIds
		.filter(id => isAskable(actionTable[id]) && !hasName(id))
		.map(id => ({
			...does(id),
			keys: [],
			label: id.replaceAll('.', ' '),
			help: actionTable[id].summary,
		})),
];

/** A way to approve that has a key of its own. */
export const requestRow = {
	...does('proposal.approve', {pullRequest: true}),
	action: 'request',
	blocked: whyNotRequested,
	keys: ['P'],
	label: 'pull request',
	short: 'request',
	help: 'Put the final review into a pull request at the forge.',
	hint: 6,
} as const satisfies Row;

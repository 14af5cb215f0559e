import type {Field} from '../answers.ts';

/** What a field is called in a form for people, and a hint. By action and field, else by field. */
const labels: Readonly<Record<string, readonly [label: string, hint?: string]>> = {
	feedback: ['What should be different', 'The next run reads it first.'],
	'task.retry feedback': ['What to tell it', 'The next run reads it first.'],
	'bee.retry feedback': ['What to tell it', 'The next run reads it first.'],
	'forge.send feedback': ['What to tell it', 'The agent reads it before the checks and comments.'],
	rework: [
		'Who reworks it',
		'Without a choice: the task whose files your comments are about, else the last one.',
	],
	summary: ['A note', 'It is kept with the approval.'],
	mergeMessage: ['Commit message'],
	'plan.return body': ['What should be different', 'The bee that made the plan reads it first.'],
	strategy: ['How it lands'],
	reason: ['Why', 'It is shown on what is cancelled.'],
	'proposal.approve reason': ['Why', 'It is kept, and shown wherever the merge is.'],
	amount: ['Honey', 'Units to add. One run takes one unit.'],
	cost: ['Money', 'US dollars that its runs may cost more.'],
	tokens: ['Tokens', 'How many more its runs may use.'],
	body: ['What do you want?', 'The first line becomes the title.'],
	base: ['Branch to land on', 'Without one: the branch that is checked out.'],
	confirm: ['The id of the trace again'],
};

const find = (id: string, name: string) => labels[`${id} ${name}`] ?? labels[name];

/** A field's label. A box is labelled with what ticking it does. */
export const labelOf = (id: string, {name, kind, summary}: Field): string =>
	kind === 'boolean'
		? summary
		: (find(id, name)?.[0] ??
			name
				.replace(/^params\./, '')
				.replace(/Id$/, '')
				.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`));

export const hintOf = (id: string, {name, kind, required}: Field): string => {
	if (kind === 'boolean') return '';
	const hint = find(id, name)?.[1] ?? '';
	return required || kind === 'choice' ? hint : hint === '' ? '(optional)' : `(optional) ${hint}`;
};

/**
 * Fields that only the dialog of a review asks for, since elsewhere an approval merges nothing; and those
 * that the page fills in.
 */
export const ofReviewDialog: Readonly<Record<string, readonly string[]>> = {
	'plan.accept': ['plan'],
	'plan.return': ['plan'],
	'forge.send': ['checks', 'comments'],
	'proposal.approve': [
		'merge',
		'strategy',
		'mergeMessage',
		'withoutGuard',
		'first',
		'withoutChecks',
		'reason',
	],
};

/** What an action does, in the dialog that confirms it. Others show their summary. */
export const effects: Readonly<Record<string, string>> = {
	'proposal.approve': 'The work is accepted as it is shown.',
	'proposal.reject': 'It goes back to its bee, with your words and your comments on lines.',
	'proposal.update':
		'The base branch is merged into the work, so that you see both together. Unsaved work in the worktree is committed first.',
	'landing.cancel': 'It leaves the queue and waits for your decision again. Nothing is merged.',
	'landing.retry':
		'The checks run again on the merge as it is shown here. It is merged once they have passed.',
	'forge.send':
		'The failed checks and the comments of the pull request go to its agent as a rework. That costs one unit of honey.',
	'plan.accept': 'Its tasks start in their turn. Each run costs one unit of honey.',
	'plan.return': 'The tasks of this plan are dropped, and its bee plans again. That costs one unit of honey.',
	'task.retry': 'The task runs again from the start of its prompt. A run that is at it is stopped.',
	'task.start': 'The task starts now, before its turn.',
	'task.cancel': 'The task is cancelled, with the tasks that need it. A run that is at it is stopped.',
	kill: 'Its runs are stopped and its unfinished tasks are cancelled. This cannot be undone; finished work stays.',
	freeze: 'Its runs stop where they are until you thaw them.',
	thaw: 'Its frozen runs go on.',
	'energy.add': 'It may start more runs. Tasks that waited for honey go on.',
	'bee.retry': 'The bee does this run again.',
	'invite.accept': 'A session with the bee begins. It costs one unit of honey.',
	'invite.reject': 'No session begins.',
};

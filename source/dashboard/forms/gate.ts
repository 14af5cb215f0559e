import {escapeHidden} from '../../domain/escape-hidden.ts';
import {formatCount} from '../../domain/format-count.ts';
import {landingStrategies, strategyEffects} from '../../domain/landing.ts';
import {mergeMessageText} from '../../domain/merge-message.ts';
import {overlookedWarnings} from '../../domain/overlooked.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {waitLabel} from '../../domain/wait-labels.ts';
import type {Preview} from '../../host/review/preview.ts';
import {sheetOf} from '../../host/views/sheet.ts';
import {type SheetBlock, sheetBlocks} from '../../host/views/sheet-lines.ts';
import {isAtGuard, plannedDependants} from '../../host/views/task.ts';
import {type Line, line, span} from '../parts/line.ts';
import {cautionLines, linesOfBlocks} from '../parts/sheet-dialog.ts';
import type {Button, Choices, Field, Form} from '../store/form.ts';
import {fullTitle, taskTitle, traceTitle} from '../store/names.ts';
import {totals} from '../store/preflight.ts';
import {cancelButton, form, isFinalGate, type Opening, target} from './target.ts';
import {emptyInput, inputOf} from './text-input.ts';

const merge: Button = {label: 'y Merge', key: 'y', value: 'merge'};
/** Leaves the work on its branch, for a pull request. Possible even if a merge would conflict. */
const leave: Button = {
	label: 'b Leave on branch',
	key: 'b',
	value: 'branch',
	input: {merge: false, strategy: undefined},
};
/** Opens or updates a request at the forge. */
const openRequest: Button = {
	label: 'p Pull request',
	key: 'p',
	value: 'request',
	input: {pullRequest: true, strategy: undefined},
};
/** Puts it into the landing queue. */
const land: Button = {...merge, label: 'y Land'};
const approve = {key: 'y', value: 'approve'};
const approveUnjudged: Button = {
	label: 'w Approve without the guard',
	key: 'w',
	value: 'without-guard',
	input: {withoutGuard: true},
};

export const approveForm = ({now, traces}: Opening, trace: Trace, task: Task): Form =>
	isFinalGate(task)
		? form(now, {
				title: `Merge ${traceTitle(traces, trace)}`,
				lines: [line('Checking what would be merged…', 'dim')],
				fields: [messageField(trace)],
				buttons: [cancelButton, merge, leave],
				focus: 1,
				request: {action: 'proposal.approve', input: target(trace, task)},
				busy: true,
			})
		: form(now, {
				title: `${waitLabel(task.waitsFor, 'proposal.approve') ?? 'Approve'} ${fullTitle(traces, trace, task)}`,
				lines: [
					line(
						task.proposalWorkspace === 'root'
							? 'Acknowledges only: you commit the changes in the root yourself.'
							: 'Acknowledges only: nothing is merged before the final review.',
						'strong',
					),
					line('Completes the task. This cannot be undone here.', 'dim'),
					...linesOfBlocks(sheetBlocks(sheetOf(trace, task), now), decidedFrom),
					...(isAtGuard(trace, task) ? [line('It comes up for review with the verdict of its guard.')] : []),
				],
				buttons: [cancelButton, approveButton(trace, task)],
				request: {action: 'proposal.approve', input: target(trace, task)},
			});

/** Parts of the sheet in the dialog about a single task. */
const decidedFrom = ['round', 'tasks', 'checks', 'guards', 'outside'] as const;

/** The message of the merge commit, for the person to edit. */
const messageField = (trace: Trace): Field => {
	const initial = mergeMessageText(trace);
	return {
		name: 'mergeMessage',
		label: 'Commit message (Ctrl+G in $EDITOR):',
		input: inputOf(initial),
		multiline: true,
		initial,
	};
};

/** How it lands. The first one chosen is what the colony has. */
const strategyChoices = ({strategy: usual = 'merge'}: Preview): Choices => ({
	name: 'strategy',
	options: landingStrategies.map(value => ({label: value, value, note: strategyEffects[value]})),
	selected: landingStrategies.indexOf(usual),
	isSecondary: true,
});

const approveButton = (trace: Trace, task: Task): Button => {
	if (isAtGuard(trace, task)) return approveUnjudged;
	return {...approve, label: `y ${waitLabel(task.waitsFor, 'proposal.approve') ?? 'Approve'}`};
};

/** Max task names in one line; the rest are counted. */
const maxNames = 3;

/** The dialog of a final review that goes into a pull request. */
export const requestForm = (open: Opening, trace: Trace, task: Task): Form => ({
	...approveForm(open, trace, task),
	title: `Pull request for ${traceTitle(open.traces, trace)}`,
	lines: [line('Checking what would be sent…', 'dim')],
	buttons: [cancelButton, openRequest],
});

/** The tasks that start after the merge. */
export const startedLines = (trace: Trace, task: Task): readonly Line[] => {
	const names = plannedDependants(trace, task).map(other => taskTitle(trace, other));
	const left = names.length - maxNames;
	const more = left > 0 ? ` and ${left} more` : '';
	return names.length === 0
		? []
		: [line(`Starts after the merge: ${names.slice(0, maxNames).join(', ')}${more}.`, 'info')];
};

/** What the approve dialog shows beside the preview. */
type Preflight = {
	readonly blocks: readonly SheetBlock[];
	readonly more: readonly Line[];
	/** The position that it would get in the landing queue. */
	readonly position: number;
};

/** The approve dialog after its preview arrived, with the sheet that the person decides from. */
export const withPreflight = (open: Form, preview: Preview, {blocks, more, position}: Preflight): Form => {
	const obstacles = obstacleLines(preview);
	const {tree} = preview;
	const request =
		!('input' in open.request) || tree === ''
			? open.request
			: {...open.request, input: {...open.request.input, tree}};
	const ways = waysToLand(preview, position);
	const choices = strategyChoices(preview);
	const lands = {...open, request, choices};
	const buttons = withForge(preview, buttonsOf(lands, preview, obstacles.length > 0, ways));
	const isForForge = preview.onApprove === 'pull_request';
	return {
		...open,
		...(isForForge && {title: open.title.replace(/^Merge /, 'Approve ')}),
		request,
		busy: false,
		buttons,
		...(buttons.some(({value}) => value === merge.value)
			? {choices, focus: open.focus + (open.focus < open.fields.length ? 0 : 1)}
			: {fields: [], focus: 0}),
		lines: [
			...effectLines(preview, ways, position),
			isForForge
				? line('The forge merges it. Until then the review stays open.', 'dim')
				: line('A merge cannot be undone here, only reverted by another commit.', 'dim'),
			// A short screen cuts the end.
			...obstacles,
			...cautionLines(obstacles.length === 0 ? blocks : blocks.filter(({id}) => id !== 'changes')),
			...(obstacles.length === 0
				? []
				: overlookedWarnings(preview).map(words => line(`! ${words}`, 'accent'))),
			...more,
			...listed(preview),
		],
	};
};

/** The dialog of a pull request after its preview arrived: what could be merged here is not offered. */
export const withRequestPreflight = (open: Form, preview: Preview, preflight: Preflight): Form => {
	const buttons = [cancelButton, merge, leave];
	const atForge = {...preview, onApprove: 'pull_request'} as const;
	// The forge decides how it lands.
	const {choices, focus, ...shown} = withPreflight({...open, buttons}, atForge, preflight);
	const kept = [cancelButton.value, openRequest.value];
	return {
		...shown,
		focus: choices === undefined ? focus : open.focus,
		buttons: shown.buttons.filter(({value}) => kept.includes(value)),
	};
};

/** The approve dialog after the preview was refused: only Cancel is left. */
export const withoutPreflight = (open: Form, message: string): Form => ({
	...open,
	busy: false,
	fields: [],
	buttons: [cancelButton],
	focus: 0,
	lines: [line(message, 'bad')],
});

const listedFiles = 6;

const listed = ({files}: Preview): Line[] => [
	...files
		.slice(0, listedFiles)
		.map(({path, added, removed}) => [
			span(`  ${escapeHidden(path)} `),
			span(`+${added}`, 'added'),
			span(' '),
			span(`-${removed}`, 'removed'),
		]),
	...(files.length > listedFiles ? [line(`  and ${files.length - listedFiles} more`, 'dim')] : []),
];

/** With a forge, the work can also be merged there. A colony may want that first. */
const withForge = ({onApprove, notTaken}: Preview, buttons: readonly Button[]): readonly Button[] => {
	if (onApprove === undefined || notTaken.length > 0) return buttons;
	const [cancel = cancelButton, ...others] = buttons;
	if (onApprove === 'merge') {
		const at = others.findIndex(({value}) => value === leave.value);
		return [cancel, ...others.slice(0, Math.max(at, 0)), openRequest, ...others.slice(Math.max(at, 0))];
	}
	const here = others.map(button =>
		button.value === merge.value
			? {...button, label: `${button.label} here`, input: {...button.input, here: true}}
			: button,
	);
	return [cancel, openRequest, ...here];
};

const buttonsOf = (
	open: Form,
	{notTaken, conflicts}: Preview,
	refused: boolean,
	ways: WaysToLand,
): readonly Button[] => {
	if (notTaken.length > 0) return [cancelButton];
	if (conflicts.length > 0) return [cancelButton, ...updates(open.request), leave];
	if (refused) return [cancelButton, leave];
	if (ways === 'at once') return open.buttons;
	return [
		cancelButton,
		...(ways === 'queue' ? [land] : checksAgain(open.request)),
		leave,
		...overrides(open),
	];
};

/**
 * `at once`: no check is required, or the tree passed it and nothing lands before. `queue`: its checks come
 * first. `failed`: the tree failed them, and approving it is refused.
 */
type WaysToLand = 'at once' | 'queue' | 'failed';

const waysToLand = ({check}: Preview, position: number): WaysToLand => {
	if (check === undefined || check.state === 'not_required') return 'at once';
	if (position > 1 || check.state === 'not_checked') return 'queue';
	return check.state === 'passed' ? 'at once' : 'failed';
};

/** What approving does. */
const effectLines = (preview: Preview, ways: WaysToLand, position: number): readonly Line[] => {
	const {added, removed} = totals(preview);
	const what = `${formatCount(preview.files.length, 'file')} +${added} -${removed}`;
	const base = preview.base || 'a detached HEAD';
	const pushed = preview.isPushed ? ', and pushes the merge to its upstream' : '';
	switch (ways) {
		case 'at once':
			if (preview.onApprove === 'pull_request')
				return [line(`Puts ${what} into a pull request for ${base}.`, 'strong')];
			return [
				line(`Merges ${what} into ${base}${pushed}.`, 'strong'),
				...(preview.check?.state === 'passed'
					? [line('\u2713 The checks passed on the tree that lands.', 'good')]
					: []),
			];
		case 'queue':
			return [
				line(
					preview.onApprove === 'pull_request'
						? `Puts ${what} into a pull request for ${base} once its checks have passed.`
						: `Lands ${what} on ${base} once its checks have passed${pushed}.`,
					'strong',
				),
				line(
					position === 1
						? 'No other merge lands before it.'
						: `It becomes number ${position} in the landing queue of ${base}.`,
				),
			];
		case 'failed':
			return [
				line(`The checks failed on what would land on ${base}: ${what}.`, 'strong'),
				line('c runs them again, and lands it if they pass.'),
			];
	}
};

/** A button that has the checks run again before it lands. */
const checksAgain = (request: Form['request']): readonly Button[] =>
	'input' in request
		? [
				{
					...{label: 'c Check again', key: 'c', value: 'check'},
					request: {action: 'landing.retry', input: request.input},
				},
			]
		: [];

/** A button that opens the dialog for merging without checks. The merge itself is a second act there. */
const overrides = ({openedAt, title, fields, choices, request}: Form): readonly Button[] =>
	'input' in request
		? [
				{
					...{label: 'w Without checks', key: 'w', value: 'override'},
					form: form(openedAt, {
						title: `${title} without checks`,
						lines: [
							line('Merges at once, although the checks have not passed on the result.', 'bad'),
							line('The log keeps that you did, and your reason. Both are always shown with the merge.'),
							line('A merge cannot be undone here, only reverted by another commit.', 'dim'),
						],
						fields: [{name: 'reason', label: 'Reason (may be empty):', input: emptyInput}, ...fields],
						...(choices && {choices}),
						buttons: [
							cancelButton,
							{label: 'y Merge without checks', key: 'y', value: 'merge', input: {withoutChecks: true}},
						],
						focus: 0,
						request,
					}),
				},
			]
		: [];

/** A button that merges the base into the work. A conflict becomes a rework task. */
const updates = (request: Form['request']): readonly Button[] =>
	'input' in request
		? [
				{
					...{label: 'u Update', key: 'u', value: 'update'},
					request: {action: 'proposal.update', input: {traceId: request.input.traceId}},
				},
			]
		: [];

/** Why the merge would be refused, and how to resolve it. */
const obstacleLines = ({notTaken, conflicts, unsaved, base, branch}: Preview): Line[] => {
	const trace = `--trace ${branch.replace(/^hive\//, '')}`;
	if (notTaken.length > 0)
		return [
			line(`✗ git cannot store ${formatCount(notTaken.length, 'path')} of the work:`, 'bad'),
			...named(notTaken),
			line(`Why: hive proposal diff ${trace}`, 'dim'),
		];
	if (conflicts.length > 0)
		return [
			line(
				`✗ conflicts with ${base} in ${formatCount(conflicts.length, 'file')}; nothing was touched:`,
				'bad',
			),
			...named(conflicts),
			line(`u merges ${base} into the work; a bee reworks what conflicts.`),
		];
	if (unsaved.length === 0) return [];
	return [
		line(`✗ ${formatCount(unsaved.length, 'unsaved file')} of yours in the way:`, 'bad'),
		...named(unsaved),
		line('Commit or move the listed files, then approve again.', 'dim'),
	];
};

const named = (paths: readonly string[]): Line[] => [
	...paths.slice(0, listedFiles).map(path => line(`  ${escapeHidden(path)}`)),
	...(paths.length > listedFiles ? [line(`  and ${paths.length - listedFiles} more`, 'dim')] : []),
];

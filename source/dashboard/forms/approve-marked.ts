import type {Outcome} from '../../domain/errors.ts';
import {formatCount} from '../../domain/format-count.ts';
import type {Preview} from '../../host/review/preview.ts';
import type {Overlap} from '../../host/views/clashes.ts';
import type {SheetBlock} from '../../host/views/sheet-lines.ts';
import {type Line, line} from '../parts/line.ts';
import {countCautions} from '../parts/sheet-dialog.ts';
import type {Button, Form} from '../store/form.ts';
import {decidedTitle, type Traces} from '../store/names.ts';
import {totals} from '../store/preflight.ts';
import type {ReviewRow} from '../store/queue.ts';
import {cancelButton, form, isFinalGate, type Opening, target} from './target.ts';

export const approveMarkedForm = ({now, traces}: Opening, rows: readonly ReviewRow[]): Form =>
	form(now, {
		title: `Approve ${formatCount(rows.length, 'marked task')}`,
		lines: [line('Checking what would be merged…', 'dim')],
		buttons: [cancelButton, {label: `y Approve ${rows.length}`, key: 'y', value: 'approve'}],
		request: {
			action: 'approve marked',
			targets: rows.map(({trace, task}) => ({
				name: decidedTitle(traces, trace, task),
				input: target(trace, task),
			})),
		},
		busy: true,
	});

/** What approving one of the marked tasks would do now. Tasks that merge nothing have no preview. */
export const markedLine = (
	traces: Traces,
	{trace, task}: ReviewRow,
	outcome: Outcome<Preview> | undefined,
	blocks: readonly SheetBlock[],
): Line => {
	const name = decidedTitle(traces, trace, task);
	if (outcome === undefined) return withCautions(`${name}: acknowledged`, blocks);
	if (!outcome.ok) return line(`✗ ${name}: ${outcome.refusal.message}`, 'bad');
	const {files, conflicts, unsaved, notTaken, base} = outcome.value;
	if (conflicts.length > 0)
		return line(`✗ ${name}: conflicts with ${base} in ${formatCount(conflicts.length, 'file')}`, 'bad');
	const inTheWay = unsaved.length + notTaken.length;
	if (inTheWay > 0) return line(`✗ ${name}: ${formatCount(inTheWay, 'file')} in the way`, 'bad');
	const {added, removed} = totals(outcome.value);
	const what = `${name}: ${formatCount(files.length, 'file')} +${added} -${removed}`;
	return landsLater(outcome.value)
		? withCautions(`${what}, once its checks have passed`, withoutOpenChecks(blocks))
		: withCautions(what, blocks);
};

/** True if its checks run before it lands. */
export const landsLater = ({check}: Preview): boolean => check?.state === 'not_checked';

/** What has not passed yet is no warning where nothing lands before it has. */
const withoutOpenChecks = (blocks: readonly SheetBlock[]): readonly SheetBlock[] =>
	blocks.map(block =>
		block.id === 'checks' ? {...block, lines: block.lines.filter(({tone}) => tone !== 'warn')} : block,
	);

/** Counts the red and amber lines of the sheet. */
const withCautions = (text: string, blocks: readonly SheetBlock[]): Line => {
	const {bad, warn} = countCautions(blocks);
	if (bad > 0) return line(`✗ ${text}, ${formatCount(bad, 'problem')}: look at it first`, 'bad');
	return warn > 0
		? line(`! ${text}, ${formatCount(warn, 'warning')}: look at it first`, 'accent')
		: line(`  ${text}`);
};

/** The tasks to merge that change the same lines, so that the later merge may conflict. */
export const markedSharing = (
	traces: Traces,
	rows: readonly ReviewRow[],
	overlaps: readonly Overlap[],
): readonly Line[] => {
	const names = new Map(
		rows
			.filter(({task}) => isFinalGate(task))
			.map(({trace, task}) => [trace.traceId, decidedTitle(traces, trace, task)]),
	);
	const [first, ...more] = overlaps.filter(({traceIds}) => traceIds.every(id => names.has(id)));
	if (first === undefined) return [];
	const [one = '', other = ''] = first.traceIds.map(id => names.get(id));
	const others = more.length === 0 ? '' : `, as do ${more.length} more`;
	return [line(`≈ ${one} and ${other} change the same lines${others}: the second may conflict.`, 'accent')];
};

/** A button that merges the base into the work of each task. A conflict becomes a rework task. */
const updates = (traces: Traces, rows: readonly ReviewRow[]): readonly Button[] =>
	rows.length === 0
		? []
		: [
				{
					...{label: `u Update ${rows.length} in conflict`, key: 'u', value: 'update'},
					request: {
						action: 'update marked',
						targets: rows.map(({trace, task}) => ({
							name: decidedTitle(traces, trace, task),
							input: {traceId: trace.traceId},
						})),
					},
				},
			];

/** Max lines in the dialog, so that its buttons stay visible. */
const maxLines = 7;

/** What the dialog about marked tasks found out. */
type MarkedPreflight = {
	readonly lines: readonly Line[];
	readonly sharing: readonly Line[];
	/** Tasks whose work conflicts with its base. */
	readonly conflicting: readonly ReviewRow[];
	/** Number of tasks that join the landing queue. */
	readonly queued: number;
};

export const withMarkedPreflight = (
	open: Form,
	traces: Traces,
	{lines, sharing, conflicting, queued}: MarkedPreflight,
): Form => ({
	...open,
	busy: false,
	buttons: [...open.buttons, ...updates(traces, conflicting)],
	lines: [
		...lines.slice(0, maxLines),
		...(lines.length > maxLines ? [line(`and ${lines.length - maxLines} more`, 'dim')] : []),
		...sharing,
		...(queued === 0
			? []
			: [
					line(
						`${queued === lines.length ? 'They join' : `${queued} of them join`} the landing queue in this order.`,
					),
				]),
		...(queued === lines.length
			? [line('The first refusal stops the rest.')]
			: [line('They are merged one after the other. The first refusal stops the rest.')]),
		line('What is merged cannot be undone here.', 'dim'),
	],
});

import {formatCount} from '../../domain/format-count.ts';
import {formatInjectedWarnings} from '../../domain/injected-warnings.ts';
import {mergeMessageText} from '../../domain/merge-message.ts';
import {overlookedWarnings} from '../../domain/overlooked.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {somePaths} from '../views/clashes.ts';
import type {SheetChanges, SheetFacts} from '../views/sheet.ts';
import type {SheetLanding} from '../views/sheet-landing.ts';
import type {Preview} from './preview.ts';

/** Returns the facts of a sheet that a preview of the merge has. */
export const factsOf = (trace: Trace, task: Task | undefined, preview: Preview): SheetFacts => ({
	changes: changesIn(preview),
	...(preview.patch !== '' && {diff: preview}),
	...((task === undefined ? preview.files.length > 0 : task.review === 'final') && {
		lands: landingOf(trace, preview),
		...(preview.check && {mergeCheck: preview.check}),
	}),
});

const landingOf = (
	trace: Trace,
	{base, tree, isPushed, strategy = 'merge', onApprove}: Preview,
): SheetLanding => ({
	branch: base,
	strategy,
	message: mergeMessageText(trace),
	signed: false,
	push: isPushed ? 'required' : 'none',
	onApprove: onApprove ?? null,
	tree,
});

const changesIn = (preview: Preview): SheetChanges => {
	const {files, planted, large = []} = preview;
	return {
		files,
		added: files.reduce((sum, file) => sum + file.added, 0),
		removed: files.reduce((sum, file) => sum + file.removed, 0),
		...(large.length > 0 && {large: large.map(notShown)}),
		problems: [...problemsIn(preview), ...formatInjectedWarnings(planted)],
		warnings: [...carriedIn(preview), ...overlookedWarnings(preview)],
	};
};

const notShown = ({path, added, deleted}: NonNullable<Preview['large']>[number]): string =>
	`${path} is too large to show at once: not shown: ${formatCount(added + deleted, 'line')}.`;

const problemsIn = ({base, conflicts, unsaved, notTaken}: Preview): readonly string[] => [
	...(notTaken.length === 0
		? []
		: [`Git does not take ${formatCount(notTaken.length, 'path')} of the work: ${somePaths(notTaken)}.`]),
	...(conflicts.length === 0
		? []
		: [`It conflicts with ${base} in ${formatCount(conflicts.length, 'file')}: ${somePaths(conflicts)}.`]),
	...(unsaved.length === 0
		? []
		: [
				`${formatCount(unsaved.length, 'unsaved file')} of yours ${unsaved.length === 1 ? 'is' : 'are'} in the way: ${somePaths(unsaved)}.`,
			]),
];

const carriedIn = ({carried}: Preview): readonly string[] =>
	carried.length === 0
		? []
		: [
				`${formatCount(carried.length, 'unsaved file')} of yours will have both changes: ${somePaths(carried)}.`,
			];

import {formatCount} from '../../domain/format-count.ts';
import type {RunRecord} from '../../domain/run.ts';
import type {RunActivity} from './activity.ts';
import {formatRunEnd} from './run.ts';
import type {SheetLine} from './sheet-lines.ts';

/** A named group of facts about a run. */
type RunFacts = {readonly name: string; readonly lines: readonly SheetLine[]};

/**
 * Returns the facts about a run that its row has no room for. For a live run: its plan, as its agent reports
 * it, and the files that it has changed. For an ended one: its last words, or why it failed, if they are
 * longer than its row.
 *
 * @param rowWidth columns that its row has for its end
 */
export const runFacts = (
	run: RunRecord,
	activity: RunActivity | undefined,
	rowWidth: number,
): readonly RunFacts[] =>
	(run.status === 'running' ? liveFacts(activity) : [endOf(run, rowWidth)]).filter(
		({lines}) => lines.length > 0,
	);

const liveFacts = ({plan = [], touched = []}: Partial<RunActivity> = {}): readonly RunFacts[] => {
	const done = plan.filter(({status}) => status === 'done').length;
	const [added, removed] = [
		touched.reduce((sum, file) => sum + file.added, 0),
		touched.reduce((sum, file) => sum + file.removed, 0),
	];
	return [
		{name: `Plan ${done} of ${plan.length}`, lines: plan.map(planLine)},
		{
			name: `${formatCount(touched.length, 'file')} +${added} -${removed}`,
			lines: touched.map(file => ({tone: 'plain', text: `${file.path} +${file.added} -${file.removed}`})),
		},
	];
};

const planMarks = {done: '[x]', active: '[>]', open: '[ ]'} as const;

/** The agent reports it, so it has no mark of hive. */
const planLine = ({text, status}: NonNullable<RunActivity['plan']>[number]): SheetLine => ({
	tone: status === 'active' ? 'plain' : 'dim',
	text: `${planMarks[status]} ${text}`,
});

const endOf = (run: RunRecord, rowWidth: number): RunFacts => {
	const end = formatRunEnd(run);
	const isFailed = run.status === 'failed';
	const isShort = end.length <= rowWidth && !end.includes('\n');
	return {
		name: isFailed ? 'Failed' : 'Said',
		lines: isShort ? [] : [{tone: isFailed ? 'bad' : 'plain', text: isFailed ? end : (run.summary ?? '')}],
	};
};

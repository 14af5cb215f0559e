import type {RunRecord} from '../../domain/run.ts';
import type {RunActivity} from './activity.ts';
import {progressFacts, type RunFacts} from './progress-facts.ts';
import {formatRunEnd} from './run.ts';

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
	(run.status === 'running' ? progressFacts(activity) : [endOf(run, rowWidth)]).filter(
		({lines}) => lines.length > 0,
	);

const endOf = (run: RunRecord, rowWidth: number): RunFacts => {
	const end = formatRunEnd(run);
	const isFailed = run.status === 'failed';
	const isShort = end.length <= rowWidth && !end.includes('\n');
	return {
		name: isFailed ? 'Failed' : 'Said',
		lines: isShort ? [] : [{tone: isFailed ? 'bad' : 'plain', text: isFailed ? end : (run.summary ?? '')}],
	};
};

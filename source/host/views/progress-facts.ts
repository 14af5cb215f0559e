import {escapeHidden} from '../../domain/escape-hidden.ts';
import {formatCount} from '../../domain/format-count.ts';
import type {PlanStep, RunProgress} from '../../domain/run-progress.ts';
import type {SheetLine} from './sheet-lines.ts';

/** A named group of facts about a run. */
export type RunFacts = {readonly name: string; readonly lines: readonly SheetLine[]};

/** The plan that the agent of a run reports, and the files that changed. Empty groups are left out. */
export const progressFacts = ({plan = [], touched = []}: Partial<RunProgress> = {}): readonly RunFacts[] => {
	const done = plan.filter(({status}) => status === 'done').length;
	const [added, removed] = [
		touched.reduce((sum, file) => sum + file.added, 0),
		touched.reduce((sum, file) => sum + file.removed, 0),
	];
	const groups: readonly RunFacts[] = [
		{name: `Plan ${done} of ${plan.length}`, lines: plan.map(planLine)},
		{
			name: `${formatCount(touched.length, 'file')} +${added} -${removed}`,
			lines: touched.map(file => ({
				tone: 'plain',
				text: `${escapeHidden(file.path)} +${file.added} -${file.removed}`,
			})),
		},
	];
	return groups.filter(({lines}) => lines.length > 0);
};

const planMarks = {done: '[x]', active: '[>]', open: '[ ]'} as const;

/** The agent reports it, so it has no mark of hive. */
const planLine = ({text, status}: PlanStep): SheetLine => ({
	tone: status === 'active' ? 'plain' : 'dim',
	text: `${planMarks[status]} ${text}`,
});

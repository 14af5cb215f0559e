import {expect, test} from 'vitest';
import {printableJson} from '../../../source/domain/sanitize.ts';
import {
	planLines,
	progressNow,
	runsWithProgress,
	touchedLines,
	withoutProgress,
} from '../../../source/host/views/progress.ts';
import {runSnapshot} from '../../../source/host/views/run.ts';
import {buildRun} from '../../dashboard/build-trace.ts';

const plan = [
	{text: 'One', status: 'done'},
	{text: 'Two', status: 'active'},
	{text: 'Three', status: 'open'},
] as const;
const touched = [{path: 'src/a\u202e.ts', added: 12, removed: 3}];

test('a plan and touched files are shown as lines, with hidden characters written out', () => {
	expect(planLines(plan)).toEqual(['[x] One', '[>] Two', '[ ] Three']);
	expect(touchedLines(touched)).toEqual(['   +12     -3  src/a<U+202E>.ts']);
});

test('the plan of an activity is newer than the one that was read', () => {
	const read = new Map([['a', {plan: plan.slice(0, 1), touched}]]);
	expect(progressNow(read, new Map([['a', {about: '', spokeAt: 0, plan}]])).get('a')).toEqual({
		plan,
		touched,
	});
	expect(progressNow(read, new Map()).get('a')).toEqual({plan: plan.slice(0, 1), touched});
});

test('an answer without the progress of its runs has the same text as if there were none', () => {
	const runs = [runSnapshot(buildRun('a')), runSnapshot(buildRun('b'))];
	const answer = {traceId: 't', runs: runsWithProgress(runs, new Map([['a', {plan, touched}]])), more: 1};
	expect(answer.runs[1]).toMatchObject({plan: [], touched: []});
	expect(printableJson(withoutProgress(answer))).toBe(printableJson({traceId: 't', runs, more: 1}));
});

import {accepted} from '../../domain/errors.ts';
import {formatCount} from '../../domain/format-count.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import type {Trace} from '../../domain/trace.ts';
import {readTraces} from '../../host/traces.ts';
import {formatJudgement} from '../../host/views/format-judgement.ts';
import {taskName} from '../../host/views/name.ts';
import {type Review, reviewQueue} from '../../host/views/review.ts';
import {formatRound} from '../../host/views/round.ts';
import {waitLabels} from '../../host/views/task.ts';
import {command} from '../command.ts';
import {renderTable} from '../render-table.ts';
import {outsideLines, warningLines, withWarnings} from '../warning-line.ts';

export const proposalList = command({
	path: 'proposal list',
	summary: 'List what waits for a review, in every trace.',
	description:
		'The verdict comes from the guards. At the final gate it covers all tasks that would be merged. The result of "verify" follows it.',
	flags: {},
	json: '{v, proposals: [task snapshot with judgement: {passed: [taskId…], failed: […], unjudged: […], verified: […], refuted: […], unverified: […]}, warnings: [{agentId, bee, text}]…, outside: [{agentId, bee, text, isRed}]…, round, asked: [text…], changedSince, verdictIsOlder]}',
	run: async (_, commandContext) => {
		const traces = await readTraces(await commandContext.open());
		const queue = reviewQueue(traces);
		const landing = landingLines(traces);
		const rows = queue.map(({task, gate, judgement, warnings}) => [
			task.traceId,
			task.taskId,
			withWarnings(formatGate(gate, task.waitsFor), warnings),
			formatJudgement(judgement) || '-',
			task.proposalWorkspace || '-',
			task.summary,
		]);
		return accepted({
			json: {proposals: queue.map(({task, gate: _, traceTitle: __, ...review}) => ({...task, ...review}))},
			text: async () =>
				rows.length === 0
					? ['Nothing waits for a review.', ...landing]
					: [
							...(await renderTable(
								['TRACE', 'TASK', 'REVIEW', 'VERDICT', 'WORKSPACE', 'SUMMARY'].map(title => ({title})),
								rows,
								commandContext.stdout.columns,
							)),
							...queue.flatMap(roundLines),
							...warningLines(queue.flatMap(({warnings}) => warnings)),
							...outsideLines(queue.flatMap(({outside}) => outside)),
							...landing,
							'\n"hive proposal diff" shows the change, and the command that approves it. "hive proposal reject" sends it back.',
							...(queue.some(({task}) => task.waitsFor !== '')
								? ['\nAnswer, or send back, with "hive task retry --feedback <text>".']
								: []),
						],
		});
	},
});

/** Approved reviews are not listed: they wait for their checks, not for a person. */
const landingLines = (traces: readonly Trace[]): readonly string[] => {
	const {length} = traces.filter(({landing}) => landing !== undefined);
	return length === 0
		? []
		: [
				`\n${formatCount(length, 'approved merge')} ${length === 1 ? 'is' : 'are'} in the landing queue: "hive landing list".`,
			];
};

/** A line for a review that was rejected before, or whose verdict is older than its work. */
const roundLines = ({task, gate, traceTitle, ...round}: Review): readonly string[] => {
	const words = formatRound(round);
	const name = gate === 'final' ? traceTitle || task.traceId : taskName(task);
	return words === '' ? [] : [`\n${sanitizeLine(`${name}: ${words}`)}`];
};

const formatGate = (gate: Review['gate'], waitsFor: Review['task']['waitsFor']): string => {
	if (waitsFor === 'question' || waitsFor === 'no_change') return waitLabels[waitsFor];
	return gate === 'commit' ? 'commit gate' : gate;
};

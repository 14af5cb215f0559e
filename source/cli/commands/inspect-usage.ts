import type {ActionContext} from '../../actions/context.ts';
import {traceNotFound} from '../../actions/decide-and-append.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {RunRecord, Usage} from '../../domain/run.ts';
import {isShown, type Trace} from '../../domain/trace.ts';
import {loadTrace} from '../../ledger/ledger.ts';
import {readUsage, sumUsage, type UsageSum, usageFields} from '../../runs/usage.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {renderTable} from '../render-table.ts';
import {traceFlag} from '../shared-flags.ts';
import type {Text} from '../text.ts';

export const inspectUsage = command({
	path: 'inspect usage',
	summary: 'Sum the tokens that the runs of a trace report, or show those of one run.',
	description:
		'Only agents that print their usage are counted; how many runs did is said. Tokens have nothing to do with the honey reserve.',
	flags: {
		trace: traceFlag,
		agent: text({summary: 'Only this run.', hint: '<id>', complete: 'runs'}),
	},
	examples: ['inspect usage --trace trace-0192f8a4c1b20001'],
	json: '{v, traceId, runs, reported, usage: {inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens}, byRun: [{agentId, bee, usage}]}',
	run: async ({trace: traceId, agent}, session) => {
		const context = await session.open();
		const trace = await loadTrace(context.bus, traceId);
		if (!isShown(trace)) return traceNotFound(traceId);
		const chosen = chooseRuns(trace, agent);
		if (!chosen.ok) return chosen;
		const byRun = await readAll(context, traceId, chosen.value);
		const usage = sumUsage(byRun.map(run => run.usage));
		return accepted({
			json: {traceId, runs: chosen.value.length, reported: byRun.length, usage, byRun},
			text: () => render(byRun, usage, chosen.value.length, session.stdout.columns),
		});
	},
});

const chooseRuns = (trace: Trace, agent: string | undefined): Outcome<readonly RunRecord[]> => {
	const runs = [...trace.runs.values()].filter(({agentId}) => agent === undefined || agentId === agent);
	return agent === undefined || runs.length > 0
		? accepted(runs)
		: refuse('run_not_found', {message: `The trace ${trace.traceId} has no run "${agent}".`});
};

type Reported = {readonly agentId: string; readonly bee: string; readonly usage: Usage};

const readAll = async (
	{files, colony}: Pick<ActionContext, 'files' | 'colony'>,
	traceId: string,
	runs: readonly RunRecord[],
): Promise<Reported[]> => {
	const read = await Promise.all(
		runs.map(async ({agentId, bee}) => {
			const usage = await readUsage(files, colony.root, traceId, agentId);
			return usage === undefined ? [] : [{agentId, bee, usage}];
		}),
	);
	return read.flat();
};

const titles = ['RUN', 'BEE', 'INPUT', 'OUTPUT', 'CACHE READ', 'CACHE WRITE'];

const render = async (
	byRun: readonly Reported[],
	sum: UsageSum,
	runs: number,
	columns: number | undefined,
): Promise<Text> => {
	if (runs === 0) return 'The trace has no runs yet.';
	const said = `${byRun.length} of ${runs} ${runs === 1 ? 'run' : 'runs'} reported usage.`;
	if (byRun.length === 0) return said;
	const rows = byRun.map(({agentId, bee, usage}) => [agentId, bee, ...cells(usage)]);
	const table = await renderTable(
		titles.map((title, at) => ({title, right: at > 1})),
		byRun.length > 1 ? [...rows, ['', 'all', ...cells(sum)]] : rows,
		columns,
	);
	return [...table, `\n\n${said}`];
};

/** A count that a run does not give is not a zero. */
const cells = (usage: Partial<UsageSum>): string[] =>
	usageFields.map(field => usage[field]?.toLocaleString('en-US') ?? '-');

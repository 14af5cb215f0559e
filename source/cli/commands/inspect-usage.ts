import {accepted} from '../../domain/errors.ts';
import {type UsageSum, usageFields} from '../../domain/run.ts';
import {readTraceUsage, type TraceUsage} from '../../host/logs/usage.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {renderTable} from '../render-table.ts';
import {traceFlag} from '../shared-flags.ts';
import type {Text} from '../text.ts';

export const inspectUsage = command({
	path: 'inspect usage',
	summary: 'Sum the tokens and money that the runs of a trace used, or show those of one run.',
	description:
		'Only runs that report their usage are counted; the output says how many did. A cost comes from the tool, or else from "prices" in config.yaml of this machine, marked with "~". Usage is unrelated to the honey reserve.',
	flags: {
		trace: traceFlag,
		agent: text({summary: 'Only this run.', hint: '<id>', complete: 'runs'}),
	},
	examples: ['inspect usage --trace trace-0192f8a4c1b20001'],
	json: '{v, traceId, runs, reported, usage: {inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd?, isEstimated?}, byRun: [{agentId, bee, usage: {…, model?, toolSession?, source}}]}',
	run: async ({trace: traceId, agent}, commandContext) => {
		const read = await readTraceUsage(await commandContext.open(), traceId, agent);
		if (!read.ok) return read;
		return accepted({json: read.value, text: () => render(read.value, commandContext.stdout.columns)});
	},
});

const titles = ['RUN', 'BEE', 'MODEL', 'INPUT', 'OUTPUT', 'CACHE READ', 'CACHE WRITE', 'USD'];
const firstNumber = titles.indexOf('INPUT');

const render = async ({runs, byRun, usage: sum}: TraceUsage, columns: number | undefined): Promise<Text> => {
	if (runs === 0) return 'The trace has no runs yet.';
	const summary = `${byRun.length} of ${runs} ${runs === 1 ? 'run' : 'runs'} reported usage.`;
	if (byRun.length === 0) return summary;
	const rows = byRun.map(({agentId, bee, usage}) => [agentId, bee, usage.model ?? '-', ...cells(usage)]);
	const table = await renderTable(
		titles.map((title, at) => ({title, right: at >= firstNumber})),
		byRun.length > 1 ? [...rows, ['', 'all', '', ...cells(sum)]] : rows,
		columns,
	);
	return [...table, `\n\n${summary}`];
};

/** A dash for a count that a run does not report, which is not the same as zero. */
const cells = (usage: Partial<UsageSum>): string[] => [
	...usageFields.map(field => usage[field]?.toLocaleString('en-US') ?? '-'),
	costOf(usage),
];

const costOf = ({costUsd, isEstimated}: Partial<UsageSum>): string =>
	costUsd === undefined ? '-' : `${isEstimated ? '~' : ''}${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`;

import {accepted} from '../../domain/errors.ts';
import {reserveOf} from '../../domain/reserve.ts';
import {statusWords} from '../../domain/status-words.ts';
import {formatHoney} from '../../host/views/format-reserve.ts';
import {nameWithId, traceName} from '../../host/views/name.ts';
import {type SheetBlock, type SheetLine, sheetBlocks} from '../../host/views/sheet-lines.ts';
import {traceSnapshot, traceView} from '../../host/views/trace.ts';
import {type ExplainedTrace, explainTrace} from '../../host/waits/explain-trace.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {renderBlock} from '../sheet-text.ts';
import {taskTable} from '../task-table.ts';

export const traceShow = command({
	path: 'trace show',
	summary: 'Show one trace: its request, state, tasks and cost, and what it waits for.',
	flags: {},
	arguments: {trace: text({summary: 'Trace to show.', hint: '<trace>', required: true, complete: 'traces'})},
	examples: ['trace show c1b20001'],
	json: '{v, trace: as "hive status" has it, status, needs: null or word, state, note, request: {title, body, truncated}, cost: {runs, tokens, costUsd, seconds}, waits: [{taskId, for, what, next?}]}',
	run: async ({trace: traceId}, commandContext) => {
		const context = await commandContext.open();
		const explained = await explainTrace(context, traceId);
		if (!explained.ok) return explained;
		const {trace, sheet, waits} = explained.value;
		const {budget, defaultBee} = context.colony.defaults;
		const {status, needs = null, state, note} = traceView(trace);
		const {request, cost} = sheet;
		return accepted({
			json: {trace: traceSnapshot(trace, budget), status, needs, state, note, request, cost, waits},
			text: async () => [
				{text: `${traceName(trace)}\n`, style: 'strong'},
				...[
					{name: 'State', lines: [plain([statusWords(state), note].filter(Boolean).join(': '))]},
					{name: 'Base', lines: trace.base === undefined ? [] : [plain(trace.base.branch)]},
					{name: 'Waits', lines: waitLines(explained.value)},
					...sheetBlocks(sheet, context.clock.now()).filter(({id}) => shown.has(id)),
					{name: 'Honey', lines: [plain(formatHoney(reserveOf(trace, budget)))]},
				].flatMap(renderBlock),
				'\n',
				...[await taskTable(trace, defaultBee, commandContext.stdout.columns)].flat(),
				{text: `\nThe work: hive proposal show --trace ${traceId}`, style: 'dim'},
			],
		});
	},
});

/** What "hive proposal show" has in more detail is left to it. */
const shown: ReadonlySet<SheetBlock['id']> = new Set(['request', 'landing', 'cost']);

const plain = (words: string): SheetLine => ({tone: 'plain', text: words});

/** The table of tasks shows what each task needs. */
const waitLines = ({trace, waits}: ExplainedTrace): readonly SheetLine[] =>
	waits
		.filter(wait => wait.for !== 'dependency')
		.map(({taskId, what, next}) => ({
			tone: 'plain',
			...(taskId !== '' && {about: nameWithId(trace, taskId)}),
			text: what,
			...(next !== undefined && {below: [`Next: ${next}`]}),
		}));

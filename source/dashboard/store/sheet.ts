import {isTerminal, type Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {type Overlap, sharingWith} from '../../host/views/clashes.ts';
import {formatShortSpending} from '../../host/views/format-reserve.ts';
import {agentTitle, taskName, traceName} from '../../host/views/name.ts';
import {roundOf} from '../../host/views/round.ts';
import {type SheetFacts, sheetOf, taskToDecide} from '../../host/views/sheet.ts';
import {type SheetLine, sheetBlocks} from '../../host/views/sheet-lines.ts';
import {awaitsDecision} from '../../host/views/task.ts';
import {taskStateLines} from '../../host/views/task-state.ts';
import type {Wait} from '../../host/waits/waits.ts';
import type {Line} from '../parts/line.ts';
import {type SheetPart, sheetRows} from '../parts/sheet-rows.ts';
import {areaOf, inside} from './layout.ts';
import {memoized, perObject} from './memo.ts';
import {queueKey} from './queue.ts';
import {lowerPanes, selectedTask, selectedWaits} from './selectors.ts';
import type {State} from './state.ts';
import {finishedTraces, isCollapsedRow, selectedTrace, type TraceRow} from './trace-list.ts';

/** The subject of the sheet in the traces tab. The task is absent for a trace without tasks. */
type SheetSubject = {readonly trace: Trace; readonly task?: Task};

/** Undefined if the sheet is not shown, or if no trace is selected. */
const sheetSubject = perObject((state: State): SheetSubject | undefined => {
	if (state.tab !== 'traces' || lowerPanes(state) === 'runs and log') return undefined;
	const trace = selectedTrace(state);
	if (trace === undefined) return undefined;
	const task = selectedTask(state) ?? taskToDecide(trace);
	return {trace, ...(task && {task})};
});

/** The decision whose facts have to be read. Undefined if the snapshot has all that is shown. */
export const sheetToRead = (state: State): Required<SheetSubject> | undefined => {
	const {trace, task} = sheetSubject(state) ?? {};
	if (trace === undefined || task === undefined || state.past !== undefined) return undefined;
	return awaitsDecision(trace, task) ? {trace, task} : undefined;
};

/** The title of the pane: what it is about, the round, and the title that an agent gave. */
export const sheetTitle = (state: State): string => {
	const {trace, task} = sheetSubject(state) ?? {};
	if (trace === undefined) return isCollapsedRow(state) ? 'Finished' : 'Begin';
	const round = task === undefined ? 1 : roundIn(trace)(task);
	const name = task === undefined || task.review === 'final' ? traceName(trace) : taskName(task);
	const others = [name, ...(round > 1 ? [`round ${round}`] : []), agentTitle(trace)];
	return [...new Set(others)].filter(Boolean).join(' · ');
};

const roundIn = perObject((trace: Trace) => perObject((task: Task) => roundOf(trace, task).round));

/** The rows of the sheet, wrapped to its pane. */
export const rowsOfSheet = (state: State): readonly Line[] => {
	const subject = sheetSubject(state);
	if (subject === undefined) return rowsIn(state, partsWithoutTrace(state));
	const {trace, task} = subject;
	const known = state.past === undefined ? state.sheet : undefined;
	const facts = task && known?.key === queueKey({trace, task}) ? known.facts : undefined;
	const sharing = sharingOf(state.clashes.overlaps, state.traces, trace.traceId);
	return rowsIn(state, partsOf(trace, task, facts, sharing, selectedWaits(state), state.now));
};

const rowsIn = (state: State, parts: readonly SheetPart[]): readonly Line[] => {
	const {width, height} = inside(areaOf(state, 'sheet'));
	return rowsOfParts(parts, width, height, state.isSheetWhole);
};

const rowsOfParts = memoized(
	(parts: readonly SheetPart[], width: number, height: number, isWhole: boolean): readonly Line[] =>
		sheetRows(parts, {width: width - 2, height}, isWhole),
);

const sharingOf = memoized(
	(overlaps: readonly Overlap[], traces: ReadonlyMap<string, Trace>, traceId: string) =>
		sharingWith(overlaps, traceId).map(sharing => {
			const other = traces.get(sharing.traceId);
			return {...sharing, title: other === undefined ? '' : traceName(other)};
		}),
);

const partsOf = memoized(
	(
		trace: Trace,
		task: Task | undefined,
		facts: SheetFacts | undefined,
		sharing: SheetFacts['alsoAtWork'],
		waits: readonly Wait[],
		now: number,
	): readonly SheetPart[] => {
		const sheet = sheetOf(trace, task, {...facts, ...(sharing && {alsoAtWork: sharing})});
		const blocks = sheetBlocks(sheet, now);
		const state = task === undefined ? [] : taskStateLines(trace, task);
		const isDecision = task !== undefined && awaitsDecision(trace, task);
		const body = task === undefined || task.review === 'final' ? '' : task.body.trim();
		return [
			...part('State', [...state, ...(isDecision ? [] : waits.map(waitLine))]),
			...part('Task', body === '' ? [] : [{tone: 'plain', text: body}]),
			...blocks
				.filter(({id}) => isDecision || (task && isOpenGate(task)) || id === 'request' || id === 'cost')
				.map(block =>
					block.id === 'round' ? {...block, lines: twoLines(block.lines, facts !== undefined)} : block,
				),
			...(isDecision && facts === undefined ? pending(task) : []),
			...part('Files', (sheet.changes?.files ?? []).map(fileLine)),
		];
	},
);

/** A gate shows what it will be about, as long as it is not decided. */
const isOpenGate = ({review, status}: Task): boolean => review === 'final' && !isTerminal(status);

const part = (name: string, lines: readonly SheetLine[]): readonly SheetPart[] =>
	lines.length === 0 ? [] : [{name, lines}];

const waitLine = ({what, next}: Wait): SheetLine => ({
	tone: 'dim',
	text: `waits: ${what}${next === undefined ? '' : ` Next: ${next}`}`,
});

const fileLine = ({path, added, removed}: {path: string; added: number; removed: number}): SheetLine => ({
	tone: 'plain',
	text: `${path} +${added} -${removed}`,
});

/** Rows of the parts that git or the log has, so that nothing below them moves. */
const pending = ({review}: Task): readonly SheetPart[] => {
	const lines: readonly SheetLine[] = [{tone: 'dim', text: 'reading …'}];
	return [...(review === 'final' ? [{name: 'Lands as', lines}] : []), {name: 'Changes', lines}];
};

/** The lines of a later round, which keep their two rows while its comments are read. The rest is counted. */
const twoLines = (lines: readonly SheetLine[], isRead: boolean): readonly SheetLine[] => {
	const [first, second, ...more] = lines;
	if (first === undefined) return lines;
	if (second === undefined)
		return [first, {tone: 'dim', text: isRead ? 'no comments on lines' : 'reading your comments …'}];
	if (more.length === 0) return lines;
	const rest = more.map(({text}) => text).join('\n');
	return [
		{...first, text: firstRow(first.text)},
		{...second, text: `${firstRow(second.text)} · ${more.length} more`, more: [second.text, rest].join('\n')},
	];
};

const firstRow = (text: string): string => text.split('\n', 1)[0] ?? '';

/** The results of the finished traces, or how to begin. */
const partsWithoutTrace = (state: State): readonly SheetPart[] =>
	isCollapsedRow(state) ? finishedParts(finishedTraces(state)) : beginParts;

const beginParts: readonly SheetPart[] = [
	{
		name: 'Begin',
		lines: [
			{tone: 'plain', text: 'c asks for work with a cue. In a shell: hive cue run feature'},
			{tone: 'plain', text: '6 shows the colony: its bees, and its problems.'},
			{tone: 'plain', text: '? shows the keys.'},
		],
	},
];

const finishedParts = perObject((finished: readonly TraceRow[]): readonly SheetPart[] => [
	{name: 'Keys', lines: [{tone: 'plain', text: 'Enter shows or hides them. A archives all of them.'}]},
	{name: 'Results', lines: finished.slice(0, maxListed).map(resultLine)},
]);

/** Max finished traces with their results. */
const maxListed = 50;

const resultLine = ({trace, title, killed, note}: TraceRow): SheetLine => {
	const gate = [...trace.tasks.values()].findLast(({review}) => review === 'final');
	const [state] = gate === undefined ? [] : taskStateLines(trace, gate);
	const result = killed ? note : (state?.text.split('\n', 1)[0] ?? 'completed');
	return {
		tone: 'plain',
		about: title || traceName(trace),
		text: [result, formatShortSpending(trace)].filter(Boolean).join(' · '),
	};
};

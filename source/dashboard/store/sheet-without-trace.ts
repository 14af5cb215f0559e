import {formatShortSpending} from '../../host/views/format-reserve.ts';
import {traceName} from '../../host/views/name.ts';
import type {SheetLine} from '../../host/views/sheet-lines.ts';
import {taskStateLines} from '../../host/views/task-state.ts';
import {type SheetPart, type SheetRow, sheetPart} from '../parts/sheet-rows.ts';
import {perObject} from './memo.ts';
import {isEmptyColony} from './selectors.ts';
import type {State} from './state.ts';
import {finishedTraces, isCollapsedRow, type TraceRow} from './trace-list.ts';

/** The results of the finished traces, or how to begin. */
export const partsWithoutTrace = (state: State): readonly SheetPart[] => {
	if (state.tab === 'review') return noParts;
	if (isCollapsedRow(state)) return finishedParts(finishedTraces(state));
	return isEmptyColony(state) ? beginParts(state.examples ?? noExamples) : nothingSelected;
};

const noParts: readonly SheetPart[] = [];

const noExamples: readonly string[] = [];

/** Id of the part with the examples. Each is a line of its own. */
const examplesId = 'examples';

const beginParts = perObject((examples: readonly string[]): readonly SheetPart[] => {
	const orExample = examples.length === 0 ? [] : ['Or choose an example: ↑↓, then Enter.'];
	return [
		...sheetPart(
			'begin',
			'Begin',
			['Press c and say what you want.', ...orExample].map(text => ({tone: 'plain', text})),
		),
		...sheetPart(
			examplesId,
			'Examples',
			examples.map(text => ({tone: 'plain', text})),
		),
		...sheetPart('more', 'More', [
			{tone: 'dim', text: 'Nothing is sent before you confirm it.'},
			{tone: 'dim', text: '6 shows the colony. ? shows the keys.'},
			{tone: 'dim', text: 'In a shell: hive cue run feature "<text>"'},
		]),
	];
});

/** The example at a row of the sheet of an empty colony. */
export const exampleOf = ({examples = noExamples}: State, row: SheetRow | undefined): string | undefined => {
	const [part, , number] = row?.key.split('/') ?? [];
	return part === examplesId ? examples[Number(number)] : undefined;
};

const nothingSelected: readonly SheetPart[] = [
	{
		...{id: 'begin', name: 'Begin'},
		lines: [
			{tone: 'plain', text: 'c asks for work with a cue. In a shell: hive cue run feature'},
			{tone: 'plain', text: '6 shows the colony: its bees, and its problems.'},
			{tone: 'plain', text: '? shows the keys.'},
		],
	},
];

const finishedParts = perObject((finished: readonly TraceRow[]): readonly SheetPart[] => [
	{
		id: 'keys',
		name: 'Keys',
		lines: [{tone: 'plain', text: 'Enter shows or hides them. A archives all of them.'}],
	},
	{id: 'results', name: 'Results', lines: finished.slice(0, maxListed).map(resultLine)},
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

import {isTerminal, type Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Preview} from '../../host/review/preview.ts';
import {reviewMark} from '../../host/review/review-memory.ts';
import {factsOf} from '../../host/review/sheet-preview.ts';
import {type Overlap, sharingWith} from '../../host/views/clashes.ts';
import {type LandingQueue, queueOf} from '../../host/views/landing.ts';
import {agentTitle, traceName} from '../../host/views/name.ts';
import {roundOf} from '../../host/views/round.ts';
import {type Sheet, type SheetFacts, sheetOf} from '../../host/views/sheet.ts';
import {type SheetBlock, type SheetLine, sheetBlocks} from '../../host/views/sheet-lines.ts';
import {awaitsDecision} from '../../host/views/task.ts';
import {taskStateLines} from '../../host/views/task-state.ts';
import type {Wait} from '../../host/waits/waits.ts';
import type {PatchFile} from '../../review/patch.ts';
import {type SheetPart, type SheetRow, sheetPart, sheetRows} from '../parts/sheet-rows.ts';
import {keepIfEqual, memoized, perObject} from './memo.ts';
import {decidedTitle, taskTitle, traceTitle} from './names.ts';
import {planParts, planTitle} from './plan.ts';
import {selectedReview} from './queue.ts';
import {diffRows, shownPreview} from './review.ts';
import {decisionOf, lowerPanes, selectedTask, shownPlan, shownTask} from './selectors.ts';
import {partsWithoutTrace} from './sheet-without-trace.ts';
import type {PreviewState, SheetState, State} from './state.ts';
import {isCollapsedRow, selectedTrace} from './trace-list.ts';
import {noWaits, selectedWaits, waitsKey} from './waits.ts';

/** The subject of the sheet. The task is absent for a trace without tasks. */
type SheetSubject = {readonly trace: Trace; readonly task?: Task};

/** Undefined if the sheet is not shown, or if nothing that it could be about is selected. */
const sheetSubject = perObject((state: State): SheetSubject | undefined => {
	if (state.tab === 'review') return selectedReview(state);
	if (state.tab !== 'traces' || lowerPanes(state) === 'runs and log') return undefined;
	const trace = selectedTrace(state);
	if (trace === undefined) return undefined;
	const task = shownTask(state) ?? decisionOf(trace);
	return {trace, ...(task && {task})};
});

/**
 * The decision whose facts have to be read. Undefined if the snapshot has all that is shown. The Review tab
 * has a preview of the merge.
 */
export const sheetToRead = (
	state: State,
): (Required<SheetSubject> & {readonly withMerge: boolean}) | undefined => {
	const {trace, task} = sheetSubject(state) ?? {};
	if (trace === undefined || task === undefined || state.past !== undefined) return undefined;
	if (shownPlan(state) !== undefined) return undefined;
	if (state.tab !== 'review') return awaitsDecision(trace, task) ? {trace, task, withMerge: true} : undefined;
	const isInLog =
		trace.request?.isCut === true || task.rejected !== undefined || trace.landingLeft?.check !== undefined;
	return isInLog ? {trace, task, withMerge: false} : undefined;
};

/** The title of the pane: what it is about, the round, and the title that an agent gave. */
export const sheetTitle = (state: State): string => {
	const planned = shownPlan(state);
	if (planned !== undefined) return `${planTitle(planned)} · ${traceTitle(state.traces, planned)}`;
	const {trace, task} = sheetSubject(state) ?? {};
	if (trace === undefined) return isCollapsedRow(state) ? 'Finished' : 'Begin';
	const round = task === undefined ? 1 : roundIn(trace)(task);
	const others = [nameIn(state, trace, task), ...(round > 1 ? [`round ${round}`] : []), agentTitle(trace)];
	return [...new Set(others)].filter(Boolean).join(' · ');
};

/** The list beside a task names its trace. The queue does not. */
const nameIn = ({tab, traces}: State, trace: Trace, task: Task | undefined): string => {
	if (task === undefined || task.review === 'final') return traceTitle(traces, trace);
	return tab === 'review' ? decidedTitle(traces, trace, task) : taskTitle(trace, task);
};

const roundIn = perObject((trace: Trace) => perObject((task: Task) => roundOf(trace, task).round));

/** The cursor and the unfolded lines of the shown sheet. */
export const sheetView = (state: State): SheetState => {
	const {trace, task} = sheetSubject(state) ?? {};
	const planned = shownPlan(state);
	const ofTask = trace === undefined ? '' : waitsKey(trace, task);
	const of = planned === undefined ? ofTask : `${planned.traceId} plan`;
	return state.sheet.of === of ? state.sheet : startOf(of);
};

const startOf = memoized((of: string): SheetState => ({of, cursor: 0, unfolded: new Set()}));

/** Where the sheet is. The title of a diff on the same screen has the count of changes. */
export type SheetPlace = 'above diff' | 'beside diff' | 'away from diff';

/**
 * The rows of the shown sheet.
 *
 * @param size columns and rows for them
 * @param place beside the diff, the sheet has more rows than it needs, so it lists the files
 */
export const rowsOfSheet = (
	state: State,
	{width, height}: {readonly width: number; readonly height: number},
	place: SheetPlace,
): readonly SheetRow[] => {
	const all = partsOf(state);
	const parts = place === 'away from diff' ? all : withoutCount(all);
	const {unfolded} = sheetView(state);
	const wholeWithin = place === 'above diff' ? Math.floor(height * wholeShareAboveDiff) : height;
	if (place !== 'beside diff') return rowsFor(parts, width, height, unfolded, wholeWithin);
	const {files} = diffRows(state);
	return rowsFor(withFiles(parts, files, state.review.reviewed), width, height, unfolded, wholeWithin);
};

/** Max share of the rows above a diff for what agents say as a whole. The diff needs the rest. */
const wholeShareAboveDiff = 0.7;

const withFiles = memoized(
	(
		parts: readonly SheetPart[],
		files: readonly PatchFile[],
		reviewed: readonly string[],
	): readonly SheetPart[] => {
		const marked = new Set(reviewed);
		const lines = files.map(
			(file): SheetLine =>
				marked.has(reviewMark(file))
					? {tone: 'good', text: `${fileText(file)}, reviewed`}
					: {tone: 'plain', text: fileText(file)},
		);
		return [...parts, ...sheetPart('files', 'Files', lines)];
	},
);

const rowsFor = memoized(
	(
		parts: readonly SheetPart[],
		width: number,
		height: number,
		unfolded: ReadonlySet<string>,
		wholeWithin: number,
	) => sheetRows(parts, {width, height, unfolded, wholeWithin}),
);

/** Without the plain count of changes. */
const withoutCount = perObject((parts: readonly SheetPart[]): readonly SheetPart[] =>
	parts.flatMap(one => {
		if (one.id !== 'changes') return [one];
		const lines = one.lines.filter(({tone}) => tone === 'bad' || tone === 'warn');
		return lines.length === 0 ? [] : [{...one, lines}];
	}),
);

const partsOf = (state: State): readonly SheetPart[] => {
	const planned = shownPlan(state);
	if (planned !== undefined) return planParts(planned);
	const subject = sheetSubject(state);
	if (subject === undefined) return partsWithoutTrace(state);
	const {trace, task} = subject;
	const facts = factsFor(state, subject);
	const sharing = sharingFacts(state.clashes.overlaps, state.traces, trace.traceId);
	const sheet = sheetFor(trace, task, facts, sharing, shownQueue(state.traces));
	const blocks = blocksAt(sheet, Math.floor(state.now / ageStep) * ageStep);
	return state.tab === 'review'
		? blocks
		: partsAround(trace, task, sheet, blocks, facts !== undefined, waitsOf(state, task));
};

/** What the shown task waits for. That is known of the selected one. */
const waitsOf = (state: State, task: Task | undefined): readonly Wait[] =>
	task?.taskId === selectedTask(state)?.taskId ? selectedWaits(state) : noWaits;

/** The facts that were read for the sheet. Undefined until then, and for a trace in a past state. */
const factsFor = (state: State, {trace, task}: SheetSubject): SheetFacts | undefined => {
	if (task === undefined || state.past !== undefined) return undefined;
	const read = state.sheetFacts?.key === waitsKey(trace, task) ? state.sheetFacts.facts : undefined;
	return state.tab === 'review' ? withPreview(trace, task, shownPreview(state), read) : read;
};

/** The diff that was read for the shown sheet in the traces tab. */
export const diffOfSheet = (state: State): SheetFacts['diff'] => {
	const subject = sheetSubject(state);
	return subject && factsFor(state, subject)?.diff;
};

const withPreview = memoized(
	(
		trace: Trace,
		task: Task,
		preview: PreviewState | undefined,
		read: SheetFacts | undefined,
	): SheetFacts | undefined => {
		if (preview?.state === 'ready') return {...read, ...factsOf(trace, task, preview.preview)};
		if (preview?.state !== 'refused') return read;
		return {...read, missing: {...read?.missing, changes: preview.message}};
	},
);

const keepSharing = keepIfEqual<Sheet['alsoAtWork']>();

const sharingFacts = memoized(
	(overlaps: readonly Overlap[], traces: ReadonlyMap<string, Trace>, traceId: string) =>
		keepSharing(
			sharingWith(overlaps, traceId).map(sharing => {
				const other = traces.get(sharing.traceId);
				return {...sharing, title: other === undefined ? '' : traceName(other)};
			}),
		),
);

const noQueue: LandingQueue = [];

/** The landing queue. While it is empty, it is the same object. */
export const shownQueue = memoized((traces: ReadonlyMap<string, Trace>): LandingQueue => {
	const queue = queueOf(traces.values());
	return queue.length === 0 ? noQueue : queue;
});

const sheetFor = memoized(
	(
		trace: Trace,
		task: Task | undefined,
		facts: SheetFacts | undefined,
		alsoAtWork: Sheet['alsoAtWork'],
		queue: LandingQueue,
	): Sheet => sheetOf(trace, task, {...facts, alsoAtWork, queue}),
);

/** The blocks of a sheet for a dialog, with the preview of its merge if there is one. */
export const blocksWith = (
	state: State,
	trace: Trace,
	task: Task,
	preview: Preview | undefined,
): readonly SheetBlock[] => {
	const alsoAtWork = sharingFacts(state.clashes.overlaps, state.traces, trace.traceId);
	const merge = preview === undefined ? {} : factsOf(trace, task, preview);
	const facts = {...merge, alsoAtWork, queue: shownQueue(state.traces)};
	return sheetBlocks(sheetOf(trace, task, facts), state.now);
};

/** Ages change once a second. */
const ageStep = 1000;

const keepBlocks = keepIfEqual<readonly SheetBlock[]>();

const blocksAt = memoized((sheet: Sheet, now: number): readonly SheetBlock[] =>
	keepBlocks(sheetBlocks(sheet, now)),
);

/** The parts in the traces tab: the state of the selection, and the sheet of a decision, also a later one. */
const partsAround = memoized(
	(
		trace: Trace,
		task: Task | undefined,
		{changes}: Sheet,
		blocks: readonly SheetBlock[],
		isRead: boolean,
		waits: readonly Wait[],
	): readonly SheetPart[] => {
		const state = task === undefined ? [] : taskStateLines(trace, task);
		const isDecision = task !== undefined && awaitsDecision(trace, task);
		const body = task === undefined || task.review === 'final' ? '' : task.body.trim();
		return [
			...sheetPart('state', 'State', [...state, ...(isDecision ? [] : waits.map(waitLine))]),
			...sheetPart('task', 'Task', body === '' ? [] : [{tone: 'plain', text: body}]),
			...blocks
				.filter(({id}) => isDecision || always.has(id) || (task && isOpenGate(task) && !ofMerge.has(id)))
				.map(block => (block.id === 'round' ? {...block, lines: twoLines(block.lines, isRead)} : block)),
			...sheetPart('files', 'Files', (changes?.files ?? []).map(fileLine)),
		];
	},
);

const always: ReadonlySet<SheetBlock['id']> = new Set(['request', 'landing', 'cost']);
/** What is read for a decision only. */
const ofMerge: ReadonlySet<SheetBlock['id']> = new Set(['lands', 'changes']);

/** A gate shows what it will be about, as long as it is not decided. */
const isOpenGate = ({review, status}: Task): boolean => review === 'final' && !isTerminal(status);

const waitLine = ({what, next}: Wait): SheetLine => ({
	tone: 'dim',
	text: `waits: ${what}${next === undefined ? '' : ` Next: ${next}`}`,
});

type FileCounts = {readonly path: string; readonly added: number; readonly removed: number};

const fileText = ({path, added, removed}: FileCounts): string => `${path} +${added} -${removed}`;

const fileLine = (file: FileCounts): SheetLine => ({tone: 'plain', text: fileText(file)});

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

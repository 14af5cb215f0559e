import {describe, expect, it} from 'vitest';
import {createQuote, formatCard} from '../../source/chat/format-card.ts';
import {plainText} from '../../source/chat/message.ts';
import {offersOf} from '../../source/chat/offers.ts';
import {completedSubjects, newSubjects} from '../../source/dashboard/notify/due.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {factsOf} from '../../source/host/review/sheet-preview.ts';
import {formatInboxCounts, inboxOf} from '../../source/host/views/inbox.ts';
import {sheetOf} from '../../source/host/views/sheet.ts';
import {formatSheetCounts, sheetBlocks} from '../../source/host/views/sheet-lines.ts';
import {traceView} from '../../source/host/views/trace.ts';
import {buildEvent, noon} from '../dashboard/build-trace.ts';
import {reviewed, taskId, tracesInWords as traces} from '../dashboard/traces-in-words.ts';
import {identifiersIn} from '../helpers/identifiers.ts';
import {deskPreview} from './office.ts';

const quote = createQuote(text => text);
const entries = inboxOf(traces.values());

/** Lines that are an id and nothing else: commands of the chat take it. */
const withoutIdLine = (card: string): string => card.replaceAll(/^trace-[0-9a-f]+$/gm, '');

const sheetFor = async (traceId: string, id: string | undefined) => {
	const trace = traces.get(traceId)!;
	const task = trace.tasks.get(id ?? '');
	return sheetOf(trace, task, factsOf(trace, task, expectAccepted(await deskPreview({traceId, taskId: ''}))));
};

describe('what is said outside of screens contains no identifier', () => {
	it('covers each kind of entry that a log alone can have', () => {
		expect([...new Set(entries.map(({kind}) => kind))].sort()).toEqual(
			expect.arrayContaining(['failed', 'invite', 'no_change', 'review']),
		);
	});

	it.each(entries.map(entry => [`${entry.kind} ${entry.title}`, entry] as const))(
		'on the card of %s',
		async (_, entry) => {
			const trace = traces.get(entry.traceId ?? '');
			const sheet = entry.kind === 'review' ? await sheetFor(entry.traceId ?? '', entry.taskId) : undefined;
			const card = plainText(formatCard(entry, trace, {quote, sheet}));
			const labels = offersOf(entry, trace, {tree: 'tree1', quote}).map(({label}) => label);
			expect(identifiersIn(withoutIdLine([card, ...labels].join('\n')))).toEqual([]);
		},
	);

	it('in a notification, and in the counts of the inbox', () => {
		const completed = buildEvent(reviewed, 'VERIFICATION', 'task.completed', {taskId: taskId(1)});
		const subjects = [...newSubjects(new Set(), entries), ...completedSubjects([completed], traces)];
		expect(subjects.length).toBeGreaterThan(3);
		for (const {title, text} of subjects) expect(identifiersIn(`${title}\n${text}`)).toEqual([]);
		expect(identifiersIn(formatInboxCounts(entries))).toEqual([]);
	});

	it.each(
		[...traces.values()].flatMap(trace =>
			[undefined, ...trace.tasks.values()].map(
				task => [task?.title || 'the whole', trace.title, trace, task?.taskId] as const,
			),
		),
	)('on the sheet of %s of %s', async (_title, _of, {traceId}, id) => {
		const sheet = await sheetFor(traceId, id);
		const text = sheetBlocks(sheet, noon)
			.flatMap(({name, lines}) => lines.flatMap(line => [name, line.about, line.text, line.more ?? '']))
			.join('\n');
		expect(identifiersIn(`${text}\n${formatSheetCounts(sheet)}`)).toEqual([]);
	});

	it.each([...traces.values()].map(trace => [trace.title, trace] as const))(
		'in the note on %s',
		(_, trace) => {
			expect(identifiersIn(traceView(trace).note)).toEqual([]);
		},
	);
});

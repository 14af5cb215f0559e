import {Box} from 'ink';
import {memo} from 'react';
import {firstLineOf, type Invite} from '../../domain/invite.ts';
import {formatJudgement, isDoubtful, isRefused} from '../../host/views/format-judgement.ts';
import type {InboxEntry} from '../../host/views/inbox.ts';
import {reviewName, taskName, traceName} from '../../host/views/name.ts';
import {warningMark} from '../../host/views/run.ts';
import {EmptyList} from '../components/empty-list.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {SafeText} from '../components/safe-text.tsx';
import {type Column, Table} from '../components/table.tsx';
import {useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {wrapAtSpaces} from '../parts/cells.ts';
import {formatAge, shortId} from '../parts/format.ts';
import {idColumn} from '../parts/id-column.ts';
import type {ColourToken} from '../parts/line.ts';
import type {CellText} from '../parts/row-line.ts';
import {inviteTitle} from '../store/invite.ts';
import {idsFrom, inside} from '../store/layout.ts';
import {markedReviews} from '../store/marked-reviews.ts';
import {perObject} from '../store/memo.ts';
import {type QueueRow, queueList} from '../store/queue.ts';
import type {PaneProps} from './pane-props.ts';

/**
 * All causes that need a person, the most urgent first, within a kind the oldest first. Invites that can
 * still be accepted come last.
 */
export const QueuePane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const now = useSelector(state => state.now);
	const hasIds = useSelector(({size}) => size.columns >= idsFrom) && width >= roomForId;
	const marks = useSelector(state => state.marks.queue);
	const marked = useSelector(state => markedReviews(state).length);
	const texts = useSelector(queueList.selected);
	const details = height > 14 && texts ? detailsOf(texts) : [];
	const detailRows = details.reduce((sum, text) => sum + wrapAtSpaces(text, width - 1).length, 0);
	const free = height - 1 - (detailRows === 0 ? 0 : detailRows + 1);
	const {all, rows, selected, filter, place: position} = useList('queue', queueList, free);
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={<PaneTitle>{`Inbox ${position}${marked === 0 ? '' : ` · ${marked} marked`}`}</PaneTitle>}
		>
			{all.length === 0 ? (
				<EmptyList
					filter={filter}
					otherwise={['Nothing waits for you.', 'Gates show up here by themselves.']}
				/>
			) : (
				<Table
					columns={queueColumns(now, all, width, hasIds)}
					width={width}
					rows={rows}
					idOf={queueList.id}
					selected={selected}
					isFocused={isFocused}
					isMarked={row => marks?.has(queueList.id(row)) ?? false}
				/>
			)}
			<Box flexDirection="column" flexShrink={0} marginTop={1} paddingLeft={1}>
				{details.map((text, index) => (
					<SafeText key={text} tone={detailTone(index, details.length)} wrap="wrap">
						{text}
					</SafeText>
				))}
			</Box>
		</Pane>
	);
});

/** The first line of its task distinguishes two invites of one bee. */
const aboutInvite = (invite: Invite): string => `${firstLineOf(invite)} · ${inviteTitle(invite)}`;

/** The details of a task or an invite. */
const detailsOf = (row: QueueRow): readonly string[] =>
	[row.trace ? traceName(row.trace) : (row.entry?.title ?? ''), ...aboutOf(row), idsOf(row)].filter(
		(text, index, all) => text !== '' && all.indexOf(text) === index,
	);

const aboutOf = (row: QueueRow): readonly string[] => {
	if (row.task && row.entry.kind === 'conflict') return [row.entry.sentence, row.task.summary];
	if (row.task && row.entry.kind === 'question') return [taskName(row.task), row.entry.sentence];
	if (row.task) return [taskName(row.task), row.task.summary, formatGuards(row)];
	return row.invite ? [aboutInvite(row.invite)] : [row.entry.sentence];
};

const detailTone = (index: number, count: number): ColourToken =>
	index === 0 ? 'strong' : index === count - 1 ? 'dim' : 'plain';

const idsOf = ({trace, task, invite, entry}: QueueRow): string =>
	[trace?.traceId, task?.taskId ?? invite?.inviteId ?? entry?.taskId]
		.flatMap(id => (id ? [shortId(id)] : []))
		.join(' · ');

const formatGuards = (row: QueueRow): string => (verdictOf(row) === '' ? '' : `Guards: ${verdictOf(row)}`);

const queueColumns = (
	now: number,
	all: readonly QueueRow[],
	width: number,
	hasIds: boolean,
): readonly Column<QueueRow>[] => [
	{title: 'TITLE', width: 'grow', cell: row => formatName(row, width)},
	{title: 'GATE', width: gateWidth(all), cell: row => [gateOf(row), isFirst(row) ? 'accent' : 'plain']},
	...(areJudged(all) ? [width < minWidthForWords ? judgedInShort : judged] : []),
	...(areWarned(all) ? [warned] : []),
	{
		title: 'AGE',
		width: 4,
		align: 'right',
		cell: row => [formatAge(formatSince(row), now), 'dim'],
	},
	...(!hasIds ? [] : [idColumn(all, ({trace}) => trace?.traceId ?? '')]),
];

const formatSince = ({task, invite, entry}: QueueRow): string =>
	task?.updatedAt ?? invite?.createdAt ?? entry?.since ?? '';

/** From this many columns a row has room for the id and the title of its trace. */
const roomForId = 62;

const formatName = (row: QueueRow, width: number): CellText => {
	if (!row.task && !row.invite) return [row.entry.title];
	const name = row.task ? reviewName(row.trace, row.task) : aboutInvite(row.invite);
	const ofTrace = traceName(row.trace);
	return width < roomForId || name === ofTrace ? [name] : [name, undefined, [ofTrace, 'dim']];
};

const gateOf = (row: QueueRow): string => {
	if (row.invite) return row.invite.status === 'pending' ? 'invite' : row.invite.status;
	return row.task && row.entry.kind === 'review' ? row.gate : shortKinds[row.entry.kind];
};

const shortKinds: Readonly<Record<InboxEntry['kind'], string>> = {
	...{invite: 'invite', conflict: 'conflict', review: 'review', failed: 'failed'},
	...{blocked: 'blocked', configuration: 'config', paused: 'paused'},
	...{question: 'question', no_change: 'no change'},
};

const isFirst = (row: QueueRow): boolean =>
	row.invite ? row.invite.status === 'pending' : !row.task || row.gate === 'final';

const gateWidth = perObject((rows: readonly QueueRow[]): number =>
	Math.max('required'.length, ...rows.map(row => gateOf(row).length)),
);

/** From this many columns there is room for verdicts of guards as text. */
const minWidthForWords = 90;

const areJudged = perObject((rows: readonly QueueRow[]): boolean => rows.some(row => verdictOf(row) !== ''));

const verdictOf = (row: QueueRow): string => (row.task ? formatJudgement(row.judgement) : '');

const verdictTone = (row: QueueRow): ColourToken => {
	if (!row.task) return 'plain';
	if (isRefused(row.judgement)) return 'bad';
	return isDoubtful(row.judgement) ? 'accent' : 'good';
};

const judged: Column<QueueRow> = {
	title: 'VERDICT',
	width: 24,
	cell: row => [verdictOf(row), verdictTone(row)],
};

const verdictMarks: Partial<Record<ColourToken, string>> = {bad: '✗', accent: '?', good: '✓'};

const judgedInShort: Column<QueueRow> = {
	title: '',
	width: 1,
	cell: row => [verdictOf(row) === '' ? '' : (verdictMarks[verdictTone(row)] ?? ''), verdictTone(row)],
};

const areWarned = perObject((rows: readonly QueueRow[]): boolean => rows.some(row => warningsIn(row) > 0));

const warned: Column<QueueRow> = {
	title: '',
	width: 3,
	whole: true,
	cell: row => [warningMark(warningsIn(row)), 'accent'],
};

const warningsIn = (row: QueueRow): number => (row.task ? row.warnings.length : 0);

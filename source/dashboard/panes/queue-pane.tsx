import {Box} from 'ink';
import {memo} from 'react';
import {firstLineOf, type Invite} from '../../domain/invite.ts';
import {titleOf} from '../../domain/trace.ts';
import {isDoubtful, isRefused, judgementWords} from '../../host/views/judgement.ts';
import {warningMark} from '../../host/views/run.ts';
import {EmptyList} from '../components/empty-list.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {SafeText} from '../components/safe-text.tsx';
import {type Column, Table} from '../components/table.tsx';
import {filterNote, useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {inside} from '../layout.ts';
import {wrapWords} from '../parts/cells.ts';
import type {Tone} from '../parts/line.ts';
import {age, shortId} from '../parts/words.ts';
import {inviteTitle} from '../store/invite.ts';
import {perObject} from '../store/memo.ts';
import {type QueueRow, queueList} from '../store/queue.ts';
import type {PaneProps} from './pane-props.ts';

/**
 * Everything that waits for a person: invites, then tasks, the longest waiting first; and last the invites that can still be
 * accepted.
 */
export const QueuePane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const now = useSelector(state => state.now);
	const texts = useSelector(queueList.selected);
	const details = height > 14 && texts ? detailsOf(texts) : [];
	const detailRows = details.reduce((sum, text) => sum + wrapWords(text, width - 1).length, 0);
	const free = height - 1 - (detailRows === 0 ? 0 : detailRows + 1);
	const {all, rows, selected, filter} = useList('queue', queueList, free);
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={<PaneTitle>{`Review queue ${all.length}${filterNote(filter)}`}</PaneTitle>}
		>
			{all.length === 0 ? (
				<EmptyList
					filter={filter}
					otherwise={['Nothing waits for you.', 'Gates show up here by themselves.']}
				/>
			) : (
				<Table
					columns={queueColumns(now, all, width)}
					width={width}
					rows={rows}
					idOf={({trace, task, invite}) => `${trace.traceId}/${task?.taskId ?? invite?.inviteId}`}
					selected={selected}
				/>
			)}
			<Box flexDirection="column" flexShrink={0} marginTop={1} paddingLeft={1}>
				{details.map((text, index) => (
					<SafeText key={text} tone={index === 0 ? 'strong' : 'plain'} wrap="wrap">
						{text}
					</SafeText>
				))}
			</Box>
		</Pane>
	);
});

/** Two of one bee differ in what they are about. */
const aboutInvite = (invite: Invite): string => `${firstLineOf(invite)} · ${inviteTitle(invite)}`;

/** What the task, or the invite, is about. */
const detailsOf = (row: QueueRow): readonly string[] =>
	[
		titleOf(row.trace),
		...(row.task ? [row.task.title, row.task.summary, guardWords(row)] : [aboutInvite(row.invite)]),
	].filter((text, index, all) => text !== '' && all.indexOf(text) === index);

const guardWords = (row: QueueRow): string => (verdictOf(row) === '' ? '' : `Guards: ${verdictOf(row)}`);

const queueColumns = (now: number, all: readonly QueueRow[], width: number): readonly Column<QueueRow>[] => [
	{title: 'TRACE', width: 9, cell: ({trace}) => [shortId(trace.traceId)]},
	{title: 'TASK', width: 'grow', cell: row => [row.task ? row.task.taskId : aboutInvite(row.invite)]},
	{title: 'GATE', width: gateWidth(all), cell: row => [gateOf(row), isFirst(row) ? 'accent' : 'plain']},
	...(areJudged(all) ? [width < widthOfWords ? judgedInShort : judged] : []),
	...(areWarned(all) ? [warned] : []),
	{
		title: 'AGE',
		width: 4,
		align: 'right',
		cell: row => [age(row.task ? row.task.updatedAt : row.invite.createdAt, now), 'dim'],
	},
];

const gateOf = ({invite, gate}: QueueRow): string => {
	if (invite === undefined) return gate;
	return invite.status === 'pending' ? 'invite' : invite.status;
};

const isFirst = ({invite, gate}: QueueRow): boolean => gate === 'final' || invite?.status === 'pending';

const gateWidth = perObject((rows: readonly QueueRow[]): number =>
	Math.max('required'.length, ...rows.map(row => gateOf(row).length)),
);

/** From here on there is room for what guards said in words. */
const widthOfWords = 72;

const areJudged = perObject((rows: readonly QueueRow[]): boolean => rows.some(row => verdictOf(row) !== ''));

const verdictOf = ({task, judgement}: QueueRow): string => (task ? judgementWords(judgement) : '');

const verdictTone = ({task, judgement}: QueueRow): Tone => {
	if (task === undefined) return 'plain';
	if (isRefused(judgement)) return 'bad';
	return isDoubtful(judgement) ? 'accent' : 'good';
};

const judged: Column<QueueRow> = {
	title: 'VERDICT',
	width: 24,
	cell: row => [verdictOf(row), verdictTone(row)],
};

const verdictMarks: Partial<Record<Tone, string>> = {bad: '✗', accent: '?', good: '✓'};

const judgedInShort: Column<QueueRow> = {
	title: '',
	width: 1,
	cell: row => [verdictOf(row) === '' ? '' : (verdictMarks[verdictTone(row)] ?? ''), verdictTone(row)],
};

const areWarned = perObject((rows: readonly QueueRow[]): boolean => rows.some(row => warningsIn(row) > 0));

const warned: Column<QueueRow> = {
	title: '',
	width: 3,
	cell: row => [warningMark(warningsIn(row)), 'accent'],
};

const warningsIn = (row: QueueRow): number => (row.task ? row.warnings.length : 0);

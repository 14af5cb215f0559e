import {memo} from 'react';
import type {Judgement} from '../../host/views/format-judgement.ts';
import type {InboxKind} from '../../host/views/inbox-entry.ts';
import {traceName} from '../../host/views/name.ts';
import {warningMark} from '../../host/views/run.ts';
import {EmptyList} from '../components/empty-list.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {type Column, Table} from '../components/table.tsx';
import {useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {formatAge} from '../parts/format.ts';
import {type ColourToken, type Line, plainText, span} from '../parts/line.ts';
import {inside} from '../store/layout.ts';
import {markedReviews} from '../store/marked-reviews.ts';
import {type QueueRow, queueList, type ReviewRow, rowName, twinNotes} from '../store/queue.ts';
import type {PaneProps} from './pane-props.ts';

/**
 * All causes that need a person, the most urgent first, within a kind the oldest first. Invites that can
 * still be accepted come last.
 */
export const QueuePane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const now = useSelector(state => state.now);
	const marks = useSelector(state => state.marks.queue);
	const marked = useSelector(state => markedReviews(state).length);
	const isWide = width >= oneRowFrom;
	const notes = useSelector(state => twinNotes(queueList.rows(state)));
	const room = isWide ? height : Math.floor(height / 2);
	const {all, rows, selected, filter, place: position} = useList('queue', queueList, room);
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={<PaneTitle>{`Needs you ${position}${marked === 0 ? '' : ` · ${marked} marked`}`}</PaneTitle>}
		>
			{all.length === 0 ? (
				<EmptyList
					filter={filter}
					otherwise={['Nothing waits for you.', 'Reviews and questions show up here.']}
				/>
			) : (
				<Table
					columns={isWide ? oneRow(now, notes) : twoRows(now)}
					width={width}
					rows={rows}
					idOf={queueList.id}
					selected={selected}
					isFocused={isFocused}
					isMarked={row => marks?.has(queueList.id(row)) ?? false}
					hasHeading={false}
					below={isWide ? undefined : belowName(notes)}
				/>
			)}
		</Pane>
	);
});

/** From this many columns a cause has one row. Below, its second row has what it is about. */
const oneRowFrom = 62;

type Notes = ReadonlyMap<QueueRow, string>;

const oneRow = (now: number, notes: Notes): readonly Column<QueueRow>[] => [
	kind,
	{title: '', width: 'grow', cell: row => [rowName(row), undefined, asideOf(row, notes)]},
	ageAt(now),
];

const twoRows = (now: number): readonly Column<QueueRow>[] => [
	kind,
	{title: '', width: 'grow', cell: row => [rowName(row)]},
	ageAt(now),
];

const ageAt = (now: number): Column<QueueRow> => ({
	title: '',
	width: 4,
	align: 'right',
	cell: row => [formatAge(sinceOf(row), now), 'dim'],
});

const sinceOf = ({task, invite, entry}: QueueRow): string =>
	task?.updatedAt ?? invite?.createdAt ?? entry?.since ?? '';

const kindMarks: Readonly<Record<InboxKind, readonly [sign: string, tone: ColourToken]>> = {
	invite: ['?', 'accent'],
	question: ['?', 'accent'],
	session: ['?', 'accent'],
	conflict: ['✗', 'bad'],
	plan: ['◆', 'accent'],
	review: ['◆', 'accent'],
	no_change: ['!', 'accent'],
	failed: ['✗', 'bad'],
	blocked: ['!', 'accent'],
	configuration: ['!', 'accent'],
	paused: ['!', 'dim'],
};

const kind: Column<QueueRow> = {
	title: '',
	width: 1,
	cell: row => (row.invite && row.invite.status !== 'pending' ? ['?', 'dim'] : kindMarks[kindOf(row)]),
};

const kindOf = ({entry}: QueueRow): InboxKind => entry?.kind ?? 'invite';

const belowName =
	(notes: Notes) =>
	(row: QueueRow): Line => [span('   '), ...noteOf(row, notes), ...aboutOf(row)];

/** What tells it apart from another row of its title. */
const noteOf = (row: QueueRow, notes: Notes): Line => {
	const note = notes.get(row) ?? '';
	return note === '' ? [] : [span(`${note} · `)];
};

const asideOf = (row: QueueRow, notes: Notes): readonly [string, ColourToken] => {
	const line = [...noteOf(row, notes), ...aboutOf(row)];
	return [plainText(line), line.some(({tone}) => tone === 'bad') ? 'bad' : 'dim'];
};

/** What it is about, the most important words first. */
const aboutOf = (row: QueueRow): Line => {
	if (row.task && row.entry.kind === 'review') return aboutReview(row);
	if (row.invite)
		return [span(row.invite.status === 'pending' ? 'invites you to talk' : row.invite.status, 'dim')];
	return [span(row.entry.sentence, 'dim')];
};

const gateWords: Readonly<Record<ReviewRow['gate'], string>> = {
	final: 'final review',
	required: 'review',
	commit: 'waits for a commit',
};

const aboutReview = ({trace, task, gate, round, judgement, warnings}: ReviewRow): Line => {
	const isBack = trace.landingLeft?.taskId === task.taskId;
	const [verdict, tone]: ReturnType<typeof verdictOf> = isBack
		? ['did not land', 'bad']
		: verdictOf(judgement);
	return [
		span(gateWords[gate] + (round > 1 ? `, round ${round}` : ''), 'dim'),
		...(verdict === '' ? [] : [span(', ', 'dim'), span(verdict, tone)]),
		...(warnings.length === 0 ? [] : [span(` ${warningMark(warnings.length)}`, 'accent')]),
		...(task.review === 'final' ? [] : [span(` · ${traceName(trace)}`, 'dim')]),
	];
};

/** The worst of the verdicts of guards and verifications, with its number. Empty if there are none. */
const verdictOf = ({
	passed,
	failed,
	unjudged,
	verified,
	refuted,
	unverified,
}: Judgement): readonly [string, ColourToken] => {
	const against = failed.length + refuted.length;
	if (against > 0) return [`${against} failed`, 'bad'];
	const open = unjudged.length + unverified.length;
	if (open > 0) return [open === 1 ? 'no verdict' : `${open} without verdict`, 'accent'];
	return [passed.length + verified.length > 0 ? 'passed' : '', 'dim'];
};

import {Box} from 'ink';
import {memo} from 'react';
import type {Comparison} from '../../host/review/compare.ts';
import {Diff} from '../components/diff.tsx';
import {Lines} from '../components/lines.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {RichText, SafeText} from '../components/safe-text.tsx';
import {useSelector} from '../hooks/use-selector.ts';
import {useWindow} from '../hooks/use-text.ts';
import {type ColourToken, type Line, span} from '../parts/line.ts';
import {diffHead} from '../store/heads.ts';
import {liveTitle} from '../store/live.ts';
import {totals} from '../store/preflight.ts';
import {selectedCause, selectedInvite, selectedReview} from '../store/queue.ts';
import {
	cursorRow,
	type DiffRows,
	diffRows,
	lineNumberWidth,
	selectedRows,
	shownPreview,
	shownSince,
} from '../store/review.ts';
import type {PreviewState} from '../store/state.ts';
import {diffColumns, heightOfLastRow} from '../store/texts.ts';
import {CausePane} from './cause-pane.tsx';
import {InvitePane} from './invite-pane.tsx';
import type {PaneProps} from './pane-props.ts';

/** The selected cause or invite, or the change of the selected task. */
export const DiffPane = memo((props: PaneProps) => {
	const invite = useSelector(selectedInvite);
	const cause = useSelector(selectedCause);
	if (cause) return <CausePane {...props} row={cause} />;
	return invite ? <InvitePane {...props} invite={invite} /> : <TaskDiff {...props} />;
});

/** The diff of the selected task: side by side if there is room. */
const TaskDiff = ({area, isFocused}: PaneProps) => {
	const row = useSelector(selectedReview);
	return <ChangePane area={area} isFocused={isFocused} name="Diff" isSelected={row !== undefined} />;
};

/** The change in a worktree as it is now. */
export const LivePane = memo(({area, isFocused}: PaneProps) => {
	const title = useSelector(liveTitle);
	return <ChangePane area={area} isFocused={isFocused} name={`Live diff · ${title}`} isSelected />;
});

type ChangeProps = PaneProps & {readonly name: string; readonly isSelected: boolean};

const ChangePane = ({area, isFocused, name, isSelected}: ChangeProps) => {
	const head = useSelector(diffHead);
	const preview = useSelector(shownPreview);
	const since = useSelector(shownSince);
	const rows = useSelector(diffRows);
	const {start, end, left, search} = useWindow('diff');
	const lastRoom = useSelector(heightOfLastRow);
	const isWrapped = useSelector(state => state.wrap);
	const chosen = useSelector(selectedRows);
	const columns = useSelector(diffColumns);
	const colours = useSelector(state => state.review.colours);
	const digits = useSelector(lineNumberWidth);
	const cursor = useSelector(cursorRow);
	const note = isSelected ? whyNoDiff(preview, rows.length) : undefined;
	const title =
		isSelected && preview?.state === 'ready' && note === undefined ? (
			<RichText line={diffTitle(name, preview, since, rows, cursor)} />
		) : (
			<PaneTitle>{name}</PaneTitle>
		);
	return (
		<Pane area={area} isFocused={isFocused} title={title}>
			<Box flexDirection="column" flexShrink={0} paddingLeft={1}>
				<Lines lines={head} />
			</Box>
			{note ? (
				<Box paddingLeft={2} paddingTop={1}>
					<SafeText tone={note[1]} wrap="wrap">
						{note[0]}
					</SafeText>
				</Box>
			) : (
				<Diff
					rows={rows.slice(start, end)}
					{...{start, lastRoom, left, isWrapped, search, digits, columns, colours, chosen, isFocused}}
				/>
			)}
		</Pane>
	);
};

const whyNoDiff = (
	preview: PreviewState | undefined,
	rows: number,
): readonly [string, ColourToken] | undefined => {
	if (preview?.state === 'refused') return [preview.message, 'bad'];
	if (preview?.state !== 'ready') return ['Reading the diff…', 'dim'];
	return rows === 0 ? ['No changes.', 'dim'] : undefined;
};

const diffTitle = (
	name: string,
	{preview, since: other}: Extract<PreviewState, {state: 'ready'}>,
	since: Comparison | undefined,
	rows: DiffRows,
	cursor: number,
): Line => {
	const {heads, reviewed} = rows;
	const shown = since ?? preview;
	const {added, removed} = totals(shown);
	const view = since ? ' · since you looked (s: whole)' : other ? ' · whole (s: since you looked)' : '';
	const file = Math.max(1, heads.filter(index => index <= cursor).length);
	const share = Math.round(((cursor + 1) / rows.length) * 100);
	return [
		span(name, 'strong'),
		span(view, 'accent'),
		span(` · file ${Math.min(file, heads.length)}/${heads.length}`, 'strong'),
		...(reviewed === 0 ? [] : [span(`, ${reviewed} reviewed`, 'good')]),
		span(' '),
		span(`+${added}`, 'added'),
		span(' '),
		span(`-${removed}`, 'removed'),
		span(` · ${share}%`, 'dim'),
		...(shown.truncated ? [span(' · beyond 1 MiB: Enter opens a file', 'accent')] : []),
	];
};

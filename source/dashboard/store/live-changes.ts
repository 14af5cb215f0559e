import type {LiveChange} from '../../host/review/live-change.ts';
import type {DetailTarget} from '../../host/views/detail/section.ts';
import {previewOfLive} from './live.ts';
import {cursorRow, type DiffRows, diffRows} from './review.ts';
import {reviewOf} from './review-state.ts';
import {atTop, type LiveState, type State} from './state.ts';
import type {Change} from './store.ts';

/** Opens the live view. The diff of the Review tab gets its position back when the view closes. */
export const openLive =
	(target: DetailTarget): Change =>
	state => ({
		...state,
		live: {...target, kept: {scroll: state.scroll.diff, review: state.review}},
		scroll: {...state.scroll, diff: atTop},
		review: reviewOf(state.review),
	});

export const closeLive: Change = state => {
	if (state.live === undefined) return state;
	const {live, ...rest} = state;
	const {drafts, reviewed, looked} = state.review;
	return {
		...rest,
		scroll: {...state.scroll, diff: live.kept.scroll},
		review: {...live.kept.review, drafts, reviewed, looked},
	};
};

/** Shows a newer change. The cursor stays at its place in its file. */
export const liveReceived =
	(traceId: string, change: LiveChange): Change =>
	state => {
		if (state.live?.traceId !== traceId) return state;
		const shown = withChange(state, {
			...(state.live.change && {changedAt: change.readAt}),
			change: {key: keyOf(state.live), state: 'ready', preview: previewOfLive(change)},
		});
		const [before, after] = [diffRows(state), diffRows(shown)];
		const cursor = cursorRow(state);
		const moved = samePlace(before, after, cursor);
		const {top} = state.scroll.diff;
		return {
			...shown,
			scroll: {...shown.scroll, diff: {...shown.scroll.diff, top: Math.max(0, top + moved - cursor)}},
			review: {...shown.review, cursor: moved},
		};
	};

/** Shows why the worktree can no longer be read. */
export const liveRefused =
	(traceId: string, message: string): Change =>
	state =>
		state.live?.traceId === traceId
			? withChange(state, {change: {key: keyOf(state.live), state: 'refused', message}})
			: state;

const withChange = (state: State, change: Partial<LiveState>): State =>
	state.live === undefined ? state : {...state, live: {...state.live, ...change}};

const keyOf = ({traceId, taskId = ''}: LiveState): string => `${traceId}/${taskId}@live`;

/** The row of the new diff at the same place of the same file, else the row itself. */
const samePlace = (before: DiffRows, after: DiffRows, row: number): number => {
	if (before.length === 0) return 0;
	const section = before.sectionOf(row);
	const path = before.files[section - 1]?.path;
	const found = after.files.findIndex(file => file.path === path);
	if (path === undefined || found < 0) return Math.min(row, Math.max(0, after.length - 1));
	const start = after.starts[found + 1] ?? 0;
	const end = after.starts[found + 2] ?? after.length;
	return Math.min(start + row - (before.starts[section] ?? 0), Math.max(start, end - 1));
};

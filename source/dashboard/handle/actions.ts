import {isActionId, type ActionId as TableActionId} from '../../host/actions/table.ts';
import {isTaught} from '../keys/tab-lessons.ts';
import type {ActionId} from '../keys/table.ts';
import {nextPart} from '../store/detail-changes.ts';
import {togglePause} from '../store/feed-changes.ts';
import {learn} from '../store/lesson-changes.ts';
import {toggleStream} from '../store/log-changes.ts';
import {toggleMark} from '../store/marks.ts';
import {setMode} from '../store/mode-changes.ts';
import {move} from '../store/move.ts';
import {focusNext, openTab, tabNext} from '../store/pane-changes.ts';
import {stepPast} from '../store/past-changes.ts';
import {toggleRange, toggleReviewed, toggleWholeChange} from '../store/review-changes.ts';
import {followLog, scrollSideways, toggleWrap} from '../store/scroll-changes.ts';
import type {State} from '../store/state.ts';
import {archivable} from '../store/trace-list.ts';
import {archive, collapseFinishedTraces, nextSort, toggleCollapsed} from '../store/trace-list-changes.ts';
import {requestSelected} from './approve.ts';
import {back} from './back.ts';
import {comment, dropComment} from './comment.ts';
import type {HandleContext, Handler} from './context.ts';
import {copyCommand, copyId} from './copy.ts';
import {dialogOf, example} from './dialogs.ts';
import {fileStep, hunkStep, searchStep} from './jump.ts';
import {showLineOrigin} from './line-origin.ts';
import {mouse} from './mouse.ts';
import {open, openDiff, showDetail} from './open.ts';
import {openFilter} from './open-filter.ts';
import {openPalette} from './open-palette.ts';
import {half, page} from './page.ts';
import {pager} from './pager.ts';
import {earlier} from './past.ts';
import {interrupt, quit} from './quit.ts';
import {editWorktree, openShell, showLive} from './worktree.ts';
import {zoom} from './zoom.ts';

/** Columns of a sideways step. */
const sideStep = 8;

/** Performs the action of a key or of a palette row. */
export const perform = (action: ActionId, context: HandleContext): void => {
	const {store, world} = context;
	world.faults.note(action);
	const {tab} = store.getState();
	if (isTaught(action, {tab})) store.dispatch(learn(tab));
	if (isActionId(action)) dialogOf(action)(context);
	else handlers[action](context);
};

const change =
	(step: (state: State) => State): Handler =>
	({store}) =>
		store.dispatch(step);

/** The handlers of all other actions in the key table. A key without a handler does not compile. */
const handlers: Readonly<Record<Exclude<ActionId, TableActionId>, Handler>> = {
	'move.up': change(move(-1)),
	'move.down': change(move(1)),
	'move.pageUp': change(state => move(-page(state))(state)),
	'move.pageDown': change(state => move(page(state))(state)),
	'move.halfUp': change(state => move(-half(state))(state)),
	'move.halfDown': change(state => move(half(state))(state)),
	'move.first': change(move(Number.NEGATIVE_INFINITY)),
	'move.last': change(move(Number.POSITIVE_INFINITY)),
	'move.left': change(scrollSideways(-sideStep)),
	'move.right': change(scrollSideways(sideStep)),
	'pane.next': change(focusNext(1)),
	'pane.previous': change(focusNext(-1)),
	'tab.traces': change(openTab('traces')),
	'tab.runs': change(openTab('runs')),
	'tab.review': change(openTab('review')),
	'tab.events': change(openTab('events')),
	'tab.sessions': change(openTab('sessions')),
	'tab.colony': change(openTab('colony')),
	'tab.next': change(tabNext(1)),
	'tab.previous': change(tabNext(-1)),
	request: requestSelected,
	mark: change(toggleMark),
	example,
	open,
	detail: showDetail,
	live: showLive,
	'diff.open': openDiff,
	'worktree.edit': editWorktree,
	'worktree.shell': openShell,
	'past.earlier': context => void earlier(context),
	'past.later': change(stepPast(1)),
	'part.next': change(nextPart(1)),
	'part.previous': change(nextPart(-1)),
	back,
	leave: back,
	'live.close': back,
	filter: openFilter,
	'search.next': searchStep(1),
	'search.previous': searchStep(-1),
	sort: change(nextSort),
	unfold: change(toggleCollapsed),
	fold: change(collapseFinishedTraces),
	archive: change(state => archive(archivable(state))(state)),
	zoom,
	follow: change(followLog),
	wrap: change(toggleWrap),
	stream: change(toggleStream),
	pause: change(togglePause),
	comment,
	'comment.drop': dropComment,
	range: change(toggleRange),
	seen: change(toggleReviewed),
	'diff.wrap': change(toggleWrap),
	'line.origin': context => void showLineOrigin(context),
	'diff.whole': change(toggleWholeChange),
	'hunk.previous': hunkStep(-1),
	'hunk.next': hunkStep(1),
	'file.previous': fileStep(-1),
	'file.next': fileStep(1),
	pager,
	'copy.id': copyId,
	'copy.command': copyCommand,
	palette: openPalette,
	help: change(setMode({kind: 'help', text: ''})),
	mouse,
	redraw: ({redraw}) => redraw(),
	suspend: ({suspendProcess: suspend}) => suspend(),
	quit,
	interrupt,
};

import type {ReviewComment} from '../../domain/review-comment.ts';
import type {DraftComment} from '../../host/review/review-memory.ts';
import {commentForm} from '../forms/comment.ts';
import type {Input} from '../store/form.ts';
import {say} from '../store/notice-changes.ts';
import {chosenDraft, chosenPlace, leftOutFile} from '../store/review.ts';
import {dropDrafts, keepDraft} from '../store/review-changes.ts';
import type {HandleContext} from './context.ts';
import {openFile} from './open-file.ts';
import {openForm} from './open-form.ts';

/** Opens the dialog to comment on the selected lines, or to change an existing comment. */
export const comment = (context: HandleContext): void => {
	const state = context.store.getState();
	const file = leftOutFile(state);
	if (file) return void openFile(context, file);
	const replaced = chosenDraft(state);
	const place = replaced ?? chosenPlace(state);
	if (place) openForm(context, commentForm(context.world.now(), place, replaced));
};

export const dropComment = ({store}: HandleContext): void => {
	const draft = chosenDraft(store.getState());
	if (draft === undefined) return;
	store.dispatch(dropDrafts(other => other === draft));
	store.dispatch(say('The comment is gone.', 'info'));
};

/** Keeps the comment as a draft. */
export const keepComment = ({store}: HandleContext, input: Input): void => {
	const {place, replaced, text} = input as {
		readonly place: Omit<DraftComment, 'text'>;
		readonly replaced: DraftComment | undefined;
		readonly text: string;
	};
	store.dispatch(keepDraft({...place, text}, replaced));
};

/** Comments that were sent with a rejection are no longer drafts. */
export const sentComments = ({traceId, comments = []}: Input) => {
	const sent = comments as readonly ReviewComment[];
	return dropDrafts(
		draft =>
			draft.traceId === traceId && sent.some(({path, text}) => path === draft.path && text === draft.text),
	);
};

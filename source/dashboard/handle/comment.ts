import type {ReviewComment} from '../../domain/review-comment.ts';
import type {DraftComment} from '../../host/review/review-memory.ts';
import {commentForm} from '../forms/comment.ts';
import type {Input} from '../store/form.ts';
import {showToast} from '../store/notice-changes.ts';
import {selectedDraft, selectedLeftOutFile, selectedPosition} from '../store/review.ts';
import {dropDrafts, saveDraftComment} from '../store/review-changes.ts';
import type {HandleContext} from './context.ts';
import {openFile} from './open-file.ts';
import {openForm} from './open-form.ts';

/** Opens the dialog to comment on the selected lines, or to change an existing comment. */
export const comment = (context: HandleContext): void => {
	const state = context.store.getState();
	const file = selectedLeftOutFile(state);
	if (file) return void openFile(context, file);
	const replaced = selectedDraft(state);
	const position = replaced ?? selectedPosition(state);
	if (position) openForm(context, commentForm(context.world.now(), position, replaced));
};

export const dropComment = ({store}: HandleContext): void => {
	const draft = selectedDraft(store.getState());
	if (draft === undefined) return;
	store.dispatch(dropDrafts(other => other === draft));
	store.dispatch(showToast('The comment is deleted.', 'info'));
};

/** Keeps the comment as a draft. */
export const saveDraft = ({store}: HandleContext, input: Input): void => {
	const {
		place: position,
		replaced,
		text,
	} = input as {
		readonly place: Omit<DraftComment, 'text'>;
		readonly replaced: DraftComment | undefined;
		readonly text: string;
	};
	store.dispatch(saveDraftComment({...position, text}, replaced));
};

/** Comments that were sent with a rejection are no longer drafts. */
export const dropSentComments = ({traceId, comments = []}: Input) => {
	const sent = comments as readonly ReviewComment[];
	return dropDrafts(
		draft =>
			draft.traceId === traceId && sent.some(({path, text}) => path === draft.path && text === draft.text),
	);
};

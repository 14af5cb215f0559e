import type {Highlighter} from '../highlight/highlighter.ts';
import {codeOf} from '../review/code.ts';
import {onChange} from './store/on-change.ts';
import {coloursReceived} from './store/review-changes.ts';
import type {Store} from './store/store.ts';
import {nextUnhighlightedFile} from './store/unhighlighted.ts';

/** Highlights the files on screen, one after the other. Until then their lines are plain. */
export const highlightVisibleFiles = (highlight: Highlighter, store: Store, signal: AbortSignal): void => {
	let isBusy = false;
	onChange(store, signal, state => {
		const file = isBusy ? undefined : nextUnhighlightedFile(state);
		if (file === undefined) return;
		isBusy = true;
		const code = {old: codeOf(file, 'old'), new: codeOf(file, 'new')};
		void highlight({path: file.path, code}).then(colours => {
			isBusy = false;
			if (!signal.aborted) store.enqueue(coloursReceived(file, colours));
		});
	});
};

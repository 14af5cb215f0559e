import {type PatchFile, readPatch} from '../../review/patch.ts';
import {outcomeOf} from '../outcome-of.ts';
import {showToast} from '../store/notice-changes.ts';
import {lastViewedWork, shownPreview, shownSince} from '../store/review.ts';
import {fileLoaded} from '../store/review-changes.ts';
import type {HandleContext} from './context.ts';

/** Reads the lines of a file that were cut from a long patch. */
export const openFile = async ({store, world: services}: HandleContext, file: PatchFile): Promise<void> => {
	const state = store.getState();
	const shown = shownPreview(state);
	if (shown?.state !== 'ready') return;
	const {fork, work} = shown.preview;
	const since = shownSince(state);
	const [task = ''] = shown.key.split('@');
	const before = since ? lastViewedWork(state, task, work) : fork;
	const from = (since ?? shown.preview).files.find(({path}) => path === file.path)?.from;
	const paths = [file.path, ...(from === undefined ? [] : [from])];
	const outcome = await outcomeOf(services, () =>
		services.compare({before: before ?? '', after: work, paths}),
	);
	if (!outcome.ok)
		return store.dispatch(showToast(`${outcome.refusal.message} ${outcome.refusal.hint}`, 'bad'));
	const found = readPatch(outcome.value.patch).find(({path}) => path === file.path);
	if (found === undefined) return store.dispatch(showToast('Git shows no lines of this file.', 'info'));
	store.dispatch(fileLoaded(file, outcome.value.truncated ? {...found, leftOut: 'rest'} : found));
};

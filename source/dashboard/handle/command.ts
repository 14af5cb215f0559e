import {splitWords} from '../keys/commands.ts';
import {line} from '../parts/line.ts';
import {setMode} from '../store/mode-changes.ts';
import {actionEnded, actionStarted, showToast} from '../store/notice-changes.ts';
import type {HandleContext} from './context.ts';

/** Runs a command line, and shows its output, unless the person does something else by then. */
export const runCommand = async (
	{store, world: services, signal}: HandleContext,
	written: string,
): Promise<void> => {
	const title = `hive ${written.trim()}`;
	const what = `Running ${title}`;
	store.dispatch(actionStarted(what));
	const {output, exitCode} = await services.runCommand(splitWords(written), signal);
	store.enqueue(actionEnded(what));
	const lines = output.trimEnd().split('\n');
	if (exitCode !== 0) store.dispatch(showToast(`${title}: exit ${exitCode}`, 'bad'));
	if (store.getState().mode.kind === 'browse')
		store.dispatch(setMode({kind: 'details', title, lines: lines.map(text => line(text)), top: 0}));
};

import {wordsOf} from '../keys/commands.ts';
import {line} from '../parts/line.ts';
import {setMode} from '../store/mode-changes.ts';
import {began, ended, say} from '../store/notice-changes.ts';
import type {HandleContext} from './context.ts';

/** Runs a command line, and shows its output, unless the person does something else by then. */
export const runCommand = async ({store, world, signal}: HandleContext, written: string): Promise<void> => {
	const title = `hive ${written.trim()}`;
	const what = `Running ${title}`;
	store.dispatch(began(what));
	const {output, exitCode} = await world.runCommand(wordsOf(written), signal);
	store.fold(ended(what));
	const lines = output.trimEnd().split('\n');
	if (exitCode !== 0) store.dispatch(say(`${title}: exit ${exitCode}`, 'bad'));
	if (store.getState().mode.kind === 'browse')
		store.dispatch(setMode({kind: 'details', title, lines: lines.map(text => line(text)), top: 0}));
};

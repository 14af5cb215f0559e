import {line} from '../parts/line.ts';
import type {Form} from '../store/form.ts';
import {cancelButton, form} from './target.ts';
import {inputOf} from './text-input.ts';

/** A dialog to complete and run a command line. */
export const commandForm = (now: number, written: string, summary: string): Form =>
	form(now, {
		title: 'Run a command',
		lines: [line(summary)],
		fields: [{name: 'line', label: 'hive', input: inputOf(written), initial: written}],
		buttons: [cancelButton, {label: 'Enter Run', value: 'run'}],
		request: {action: 'command', input: {}},
	});

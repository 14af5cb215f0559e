import type {RunRecord} from '../../domain/run.ts';
import type {Trace} from '../../domain/trace.ts';
import {line} from '../parts/line.ts';
import type {Form} from '../store/form.ts';
import {traceTitle} from '../store/names.ts';
import {cancelButton, form, type Opening} from './target.ts';

/** Asks before a shell in a worktree where a run works, or where git would run planted programs. */
export const shellForm = (
	{now, traces}: Opening,
	trace: Trace,
	{
		path,
		runs,
		warnings,
	}: {
		readonly path: string;
		readonly runs: readonly RunRecord[];
		readonly warnings: readonly string[];
	},
): Form =>
	form(now, {
		title: `Shell in the worktree of ${traceTitle(traces, trace)}`,
		lines: [
			...(runs.length === 0
				? []
				: [
						line(`${runs.map(({bee}) => bee).join(', ')} is at work there now.`, 'strong'),
						line('What you change there becomes part of its work, and it may change it again.', 'dim'),
					]),
			...warnings.map(text => line(text, 'bad')),
			line(path, 'dim'),
		],
		buttons: [cancelButton, {label: 'y Open', key: 'y', value: 'open'}],
		request: {action: 'shell', input: {path}},
	});

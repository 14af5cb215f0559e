import type {Trace} from '../../domain/trace.ts';
import type {ColonyFacts} from '../../host/live/live.ts';
import type {SessionView} from '../../host/views/session.ts';
import {clip} from '../parts/cells.ts';
import {shortId} from '../parts/format.ts';
import {line} from '../parts/line.ts';
import type {Form} from '../store/form.ts';
import {traceTitle} from '../store/names.ts';
import type {Size} from '../store/state.ts';
import {cancelButton, form, type Opening} from './target.ts';
import {emptyInput} from './text-input.ts';

/** The initial terminal of a session: its size, and if it shows 24-bit colours. */
export type Terminal = Size & {readonly trueColor: boolean};

/** Max columns of a trace's name on a button. */
const maxNameWidth = 24;

/** @param bees bees that can have a session */
export const chatForm = (
	{now, traces}: Opening,
	bees: ColonyFacts['bees'],
	trace: Trace | undefined,
	terminal: Terminal,
): Form =>
	form(now, {
		title: 'Talk with a bee',
		lines: [line('Costs one unit of honey for good. The session goes on when you leave it.', 'dim')],
		fields: [{name: 'body', label: 'The first words:', input: emptyInput, multiline: true}],
		choices: {
			name: 'role',
			options: bees.map(({name, note}) => ({label: name, value: name, note})),
			selected: 0,
		},
		buttons: [
			cancelButton,
			{label: 'Ctrl+D In a new trace', value: 'new'},
			...(trace === undefined || trace.killed
				? []
				: [
						{
							label: `In ${clip(traceTitle(traces, trace), maxNameWidth)}`,
							value: 'here',
							input: {traceId: trace.traceId},
						},
					]),
		],
		request: {action: 'bee.chat', input: {body: '', ...terminal}},
	});

/** @param sessions the open sessions; several of one bee in one trace are distinguished by their ids */
export const stopForm = (
	{now, traces}: Opening,
	{traceId, sessionId, bee}: SessionView,
	sessions: readonly SessionView[],
): Form => {
	const trace = traces.get(traceId);
	const sameNamed = sessions.filter(other => other.traceId === traceId && other.bee === bee);
	const name = [bee, ...(sameNamed.length > 1 ? [shortId(sessionId)] : [])].join(' ');
	return form(now, {
		title: `Stop ${[name, ...(trace ? [traceTitle(traces, trace)] : [])].join(' · ')}`,
		lines: [
			line('Ends its program and all that it started. It cannot be undone.'),
			line('What it changed is kept, as with every run.', 'dim'),
		],
		buttons: [cancelButton, {label: 'y Stop', key: 'y', value: 'stop'}],
		request: {action: 'session.stop', input: {traceId, sessionId}},
	});
};

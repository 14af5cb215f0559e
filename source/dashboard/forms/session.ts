import type {Trace} from '../../domain/trace.ts';
import type {ColonyFacts} from '../../host/live.ts';
import type {SessionView} from '../../host/sessions.ts';
import {line} from '../parts/line.ts';
import {shortId} from '../parts/words.ts';
import type {Size} from '../store/state.ts';
import type {Form} from './form.ts';
import {cancelButton, form} from './target.ts';
import {emptyInput} from './text-input.ts';

/** What a session begins with: the size of its terminal, and whether that shows 24-bit colours. */
export type Terminal = Size & {readonly trueColor: boolean};

/** @param bees those that a person can talk with */
export const chatForm = (
	now: number,
	bees: ColonyFacts['bees'],
	trace: Trace | undefined,
	terminal: Terminal,
): Form =>
	form(now, {
		title: 'Talk with a bee',
		lines: [line('Costs one unit of honey. It goes on when you leave it.', 'dim')],
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
				: [{label: `In ${shortId(trace.traceId)}`, value: 'here', input: {traceId: trace.traceId}}]),
		],
		request: {action: 'bee.chat', input: {body: '', ...terminal}},
	});

export const stopForm = (now: number, {traceId, sessionId, bee}: SessionView): Form =>
	form(now, {
		title: `Stop ${bee} · ${shortId(sessionId)}`,
		lines: [
			line('Ends its program and all that it started.'),
			line('What it changed is kept, as with every run.', 'dim'),
		],
		buttons: [cancelButton, {label: 'y Stop', key: 'y', value: 'stop'}],
		request: {action: 'session.stop', input: {traceId, sessionId}},
	});

import {counted} from '../../domain/counted.ts';
import {openRuns, type Trace} from '../../domain/trace.ts';
import type {CueOffer} from '../../host/live.ts';
import {line} from '../parts/line.ts';
import {shortId} from '../parts/words.ts';
import type {Form} from './form.ts';
import {cancelButton, form} from './target.ts';
import {emptyInput} from './text-input.ts';

/** Honey that can be added at once (docs/rules.md §10). */
const topUps = [1, 5, 12] as const;

export const killForm = (now: number, trace: Trace): Form => {
	const wanted = trace.traceId.slice(-4);
	const unfinished = [...trace.tasks.values()].filter(
		({status}) => status !== 'completed' && status !== 'failed' && status !== 'cancelled',
	).length;
	return form(now, {
		title: `Kill ${shortId(trace.traceId)} · stops ${counted(openRuns(trace).length, 'bee')}, cancels ${counted(unfinished, 'task')}`,
		lines: [line('A killed trace never runs again. It cannot be undone.', 'dim')],
		fields: [
			{name: 'reason', label: 'Reason (optional):', input: emptyInput},
			{name: 'confirm', label: `Type ${wanted} to confirm:`, input: emptyInput, wanted},
		],
		buttons: [cancelButton, {label: 'Kill', value: 'kill'}],
		focus: 1,
		request: {action: 'kill', input: {traceId: trace.traceId}},
	});
};

export const honeyForm = (now: number, trace: Trace): Form => {
	const blocked = [...trace.tasks.values()].filter(({status}) => status === 'blocked');
	return form(now, {
		title: `Honey for ${shortId(trace.traceId)} · reserve ${trace.energyRemaining}/${trace.energyBudget ?? '-'}`,
		lines: [
			blocked.length > 0 && !trace.killed
				? line(`Resumes: ${blocked.map(({taskId}) => taskId).join(', ')}.`)
				: line('No task waits for honey.', 'dim'),
			line(' '),
		],
		choices: {
			name: 'amount',
			options: topUps.map(amount => ({label: counted(amount, 'unit'), value: amount})),
			selected: 1,
		},
		buttons: [cancelButton, {label: 'Enter Add', value: 'add'}],
		request: {action: 'energy.add', input: {traceId: trace.traceId}},
	});
};

export const cueForm = (now: number, cues: readonly CueOffer[]): Form =>
	form(now, {
		title: 'Run a cue',
		fields: [
			{name: 'text', label: 'What is it about:', input: emptyInput, required: 'Say what it is about.'},
		],
		choices: {
			name: 'cueId',
			options: cues.map(({id, description}) => ({label: id, value: id, note: description})),
			selected: 0,
		},
		buttons: [cancelButton, {label: 'Enter Run', value: 'run'}],
		request: {action: 'cue.run', input: {}},
	});

export const quitForm = (now: number, bees: number): Form =>
	form(now, {
		title: `Quit · ${counted(bees, 'bee')} at work`,
		lines: [
			line('This dashboard is the reactor: without it nothing new starts.'),
			line('Bees that are left running finish their runs.', 'dim'),
		],
		buttons: [
			cancelButton,
			{label: 'l Leave running', key: 'l', value: 'leave'},
			{label: 's Stop them', key: 's', value: 'stop'},
		],
		request: {action: 'quit'},
	});

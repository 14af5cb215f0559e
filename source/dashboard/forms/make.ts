import {openRuns, type Trace} from '../../domain/trace.ts';
import {line} from '../parts/line.ts';
import {plural, shortId} from '../parts/words.ts';
import type {CueOffer} from '../world.ts';
import type {Form} from './form.ts';
import {cancelButton, form} from './target.ts';
import {emptyInput} from './text-input.ts';

/** Honey that can be added at once (spec, Limits). */
const topUps = [1, 5, 12] as const;

export const killForm = (now: number, trace: Trace): Form => {
	const wanted = trace.traceId.slice(-4);
	const unfinished = [...trace.tasks.values()].filter(
		({status}) => status !== 'completed' && status !== 'failed' && status !== 'cancelled',
	).length;
	return form(now, {
		title: `Kill ${shortId(trace.traceId)} · stops ${plural(openRuns(trace).length, 'bee')}, cancels ${plural(unfinished, 'task')}`,
		lines: [line('A killed trace never runs again. It cannot be undone.', 'dim')],
		fields: [
			{name: 'reason', label: 'Reason (optional):', input: emptyInput},
			{name: 'confirm', label: `Type ${wanted} to confirm:`, input: emptyInput, wanted},
		],
		buttons: [cancelButton, {label: 'Kill', value: 'kill'}],
		focus: 1,
		request: {act: 'kill', traceId: trace.traceId},
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
			options: topUps.map(amount => ({label: plural(amount, 'unit'), value: String(amount)})),
			selected: 1,
		},
		buttons: [cancelButton, {label: 'Enter Add', value: 'add'}],
		request: {act: 'energy', traceId: trace.traceId},
	});
};

export const cueForm = (now: number, cues: readonly CueOffer[]): Form =>
	form(now, {
		title: 'Run a cue',
		fields: [
			{name: 'text', label: 'What is it about:', input: emptyInput, required: 'Say what it is about.'},
		],
		choices: {
			options: cues.map(({id, description}) => ({label: id, value: id, note: description})),
			selected: 0,
		},
		buttons: [cancelButton, {label: 'Enter Run', value: 'run'}],
		request: {act: 'cue'},
	});

export const quitForm = (now: number, bees: number): Form =>
	form(now, {
		title: `Quit · ${plural(bees, 'bee')} at work`,
		lines: [
			line('This dashboard is the reactor: without it nothing new starts.'),
			line('Bees that are left running finish their runs.', 'dim'),
		],
		buttons: [
			cancelButton,
			{label: 'l Leave running', key: 'l', value: 'leave'},
			{label: 's Stop them', key: 's', value: 'stop'},
		],
		request: {act: 'quit'},
	});

import {formatCount} from '../../domain/format-count.ts';
import {exhausted, lacking, nothingSpent, topUps} from '../../domain/reserve.ts';
import type {Trace} from '../../domain/trace.ts';
import type {CueOffer} from '../../host/live/live.ts';
import {formatCompactCount, formatCost, formatTokens} from '../../host/views/format-reserve.ts';
import {openAgentRuns} from '../../host/views/run.ts';
import {line} from '../parts/line.ts';
import type {Button, Form, Option} from '../store/form.ts';
import {taskTitle, traceTitle} from '../store/names.ts';
import {cancelButton, form, type Opening} from './target.ts';
import {emptyInput, inputOf} from './text-input.ts';

export const killForm = ({now, traces}: Opening, trace: Trace): Form => {
	const unfinished = [...trace.tasks.values()].filter(
		({status}) => status !== 'completed' && status !== 'failed' && status !== 'cancelled',
	).length;
	return form(now, {
		title: `Kill ${traceTitle(traces, trace)}`,
		lines: [
			line(
				`Stops ${formatCount(openAgentRuns(trace).length, 'bee')}, cancels ${formatCount(unfinished, 'task')}.`,
				'strong',
			),
			line('A killed trace never runs again. This cannot be undone.', 'dim'),
		],
		fields: [{name: 'reason', label: 'Reason (optional):', input: emptyInput}],
		buttons: [cancelButton, {label: 'y Kill', key: 'y', value: 'kill'}],
		focus: 1,
		request: {action: 'kill', input: {traceId: trace.traceId}},
	});
};

export const honeyForm = ({now, traces}: Opening, trace: Trace): Form => {
	const blocked = [...trace.tasks.values()].filter(({status}) => status === 'blocked');
	const options = topUpsFor(trace);
	const lacks = exhausted(trace);
	return form(now, {
		title: `Honey for ${traceTitle(traces, trace)}`,
		lines: [
			line(`Reserve ${trace.energyRemaining}/${trace.energyBudget ?? '-'}.`, 'strong'),
			blocked.length > 0 && !trace.killed
				? line(
						`${lacks === undefined || lacks === 'honey' ? '' : `${lacking[lacks].status}. `}Resumes: ${blocked.map(task => taskTitle(trace, task)).join(', ')}.`,
					)
				: line('No task waits for honey.', 'dim'),
			line('What is added cannot be taken out again.', 'dim'),
			line(' '),
		],
		choices: {
			name: 'amount',
			options,
			selected: Math.max(
				options.findIndex(({name}) => name === lacks),
				1,
			),
		},
		buttons: [cancelButton, {label: 'Enter Add', value: 'add'}],
		request: {action: 'energy.add', input: {traceId: trace.traceId}},
	});
};

/** Options for honey, and for each other limit of the trace, with the amount spent. */
const topUpsFor = ({maxCost, maxTokens, spent = nothingSpent}: Trace): readonly Option[] => {
	const honey = topUps.honey.map(value => ({label: formatCount(value, 'unit'), value}));
	if (maxCost === undefined && maxTokens === undefined) return honey;
	return [
		...honey.map(option => ({...option, note: 'honey'})),
		...(maxCost === undefined
			? []
			: topUps.cost.map(value => ({
					...{name: 'cost', label: `$${value}`, value},
					note: `cost limit, ${formatCost({spent, maxCost})}`,
				}))),
		...(maxTokens === undefined
			? []
			: topUps.tokens.map(value => ({
					...{name: 'tokens', label: formatCompactCount(value), value},
					note: `token limit, ${formatTokens({spent, maxTokens})}`,
				}))),
	];
};

const ask = 'What is it about:';
const askOrIssue = 'What is it about? Or an issue, as #12:';

/**
 * @param text the request to start from
 * @param hasForge true if the request may be an issue
 */
export const cueForm = (
	now: number,
	cues: readonly CueOffer[],
	{text = '', hasForge = false}: {readonly text?: string | undefined; readonly hasForge?: boolean} = {},
): Form =>
	form(now, {
		title: 'Run a cue',
		lines: [line('Starts a new trace. Each of its runs costs one honey unit.', 'dim')],
		fields: [
			{
				name: 'text',
				label: hasForge ? askOrIssue : ask,
				input: inputOf(text),
				initial: text,
				multiline: true,
			},
			...(cues[0]?.params ?? []).map(name => ({
				...{name: `params.${name}`, label: `${name} of its bees (optional):`, input: emptyInput},
			})),
			{name: 'base', label: 'Branch to land on (optional):', input: emptyInput},
		],
		choices: {
			name: 'cueId',
			options: cues.map(({id, description}) => ({label: id, value: id, note: description})),
			selected: Math.max(
				0,
				cues.findIndex(({id}) => id === 'feature'),
			),
		},
		buttons: [cancelButton, {label: 'Ctrl+D Run', value: 'run'}, otherPlanReview(cues)],
		request: {action: 'cue.run', input: {}},
	});

/** Runs it with the choice about plans that the colony does not make by itself. */
const otherPlanReview = (cues: readonly CueOffer[]): Button =>
	cues.some(({planReview}) => planReview === 'required')
		? {label: 'n No plan review', key: 'n', value: 'no-review', input: {planReview: 'none'}}
		: {label: 'p Review plan', key: 'p', value: 'review', input: {planReview: 'required'}};

/** @param bees agents at work; 0 if only checks are under way */
export const quitForm = (now: number, bees: number): Form =>
	form(now, {
		title: `Quit · ${bees === 0 ? 'checks are running' : `${formatCount(bees, 'bee')} at work`}`,
		lines: [
			line('This dashboard is the reactor: without it nothing new starts.'),
			line('Bees that are left running finish their runs. Those that are stopped do not.', 'dim'),
		],
		buttons: [
			cancelButton,
			{label: 'l Leave running', key: 'l', value: 'leave'},
			{label: 's Stop them', key: 's', value: 'stop'},
		],
		request: {action: 'quit'},
	});

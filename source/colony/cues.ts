import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Payload} from '../domain/event.ts';
import {hintNearest} from '../domain/nearest.ts';
import type {PlanItem} from '../domain/plan-item.ts';
import type {PlanReview} from '../domain/plan-review.ts';
import type {Budget} from '../domain/reserve.ts';
import {cutTitle} from '../domain/title.ts';
import type {Colony, Cue} from './colony.ts';
import {render} from './render.ts';

export type CueInput = {
	/** The person's text. */
	readonly text: string;
	/** The front end: cli, console, chat. */
	readonly source: string;
	readonly traceId: string;
	/** Further template variables. They override the built-in ones. */
	readonly vars: Readonly<Record<string, string>>;
};

/** The event or task that running a cue publishes on its trace. The caller assigns the task's id. */
export type CueExpansion = {readonly budget: Budget; readonly planReview?: PlanReview} & (
	| {readonly emit: 'signal'; readonly payload: Payload}
	| {
			readonly emit: 'task';
			readonly item: Omit<PlanItem, 'taskId'> & {readonly bee: string};
			readonly autorun: boolean;
	  }
);

/** Evaluates a cue (docs/rules.md §9). Refuses an unknown cue, a missing text and a broken template. */
export const expandCue = (colony: Colony, cueId: string, input: CueInput): Outcome<CueExpansion> => {
	const cue = colony.cues.get(cueId);
	if (cue === undefined) return refuseUnknown(colony, cueId);
	if (input.text.trim() === '' && needsText(cue, Object.keys(input.vars)))
		return refuse('usage', {
			message: `The cue "${cueId}" needs a text.`,
			hint: `Run "hive cue run ${cueId} '<text>'".`,
		});
	const texts = renderTexts(colony, cue, input);
	if (!texts.ok) return texts;
	const {energyBudget = colony.defaults.budget.energyBudget, planReview} = cue;
	const budget = {...colony.defaults.budget, energyBudget};
	const common = {budget, ...(planReview && {planReview})};
	return accepted(
		cue.emit === 'signal'
			? {emit: 'signal', payload: signalPayload(cue, input.source, texts.value), ...common}
			: {
					emit: 'task',
					item: taskItem(cue, input.text, texts.value),
					autorun: cue.autorun,
					...common,
				},
	);
};

const refuseUnknown = (colony: Colony, cueId: string) => {
	const broken = colony.problems.find(({path}) => path.startsWith(`.hive/cues/${cueId}.y`));
	if (broken) return refuse('invalid_config', {message: `${broken.path}: ${broken.message}.`});
	return refuse('cue_not_found', {
		message: `There is no cue "${cueId}".`,
		hint: hintNearest(cueId, colony.cues.keys()),
	});
};

/**
 * True if a template uses the person's text, or if a task has no other source. `given` names variables that
 * have a value of their own.
 */
export const needsText = (
	{emit, title, body, payloadTemplate}: Cue,
	given: readonly string[] = [],
): boolean => {
	if (emit === 'task' && title === undefined && body === undefined) return true;
	const templates = [title, body, ...Object.values(payloadTemplate)];
	const wanted = ['Text', 'Title', 'Body'].filter(name => !given.includes(name));
	return templates.some(template => asksFor(template ?? '', wanted));
};

/** A partial is assumed to use every variable. */
const asksFor = (template: string, names: readonly string[]): boolean =>
	[...template.matchAll(/\{\{(.*?)\}\}/gs)].some(
		([, action = '']) =>
			(/^-?\s*template\b/.test(action) && names.length > 0) ||
			[...action.matchAll(/\.(\w+)/g)].some(([, name = '']) => names.includes(name)),
	);

type Texts = {
	readonly own: {readonly title?: string; readonly body?: string};
	readonly payload: Readonly<Record<string, string>>;
};

const renderTexts = (colony: Colony, cue: Cue, input: CueInput): Outcome<Texts> => {
	const {title, body} = cue;
	const data = templateData(input);
	const own = renderEach(
		colony,
		cue,
		{...(title !== undefined && {title}), ...(body !== undefined && {body})},
		data,
	);
	if (!own.ok) return own;
	const payload = renderEach(colony, cue, cue.payloadTemplate, data);
	return payload.ok ? accepted({own: own.value, payload: payload.value}) : payload;
};

const renderEach = (
	colony: Colony,
	{id}: Cue,
	templates: Readonly<Record<string, string>>,
	data: Readonly<Record<string, string>>,
): Outcome<Readonly<Record<string, string>>> => {
	const rendered: [string, string][] = [];
	for (const [key, text] of Object.entries(templates)) {
		const answer = render(colony, {name: cueTemplate(id, key), text}, data);
		if (!answer.ok) return answer;
		rendered.push([key, answer.value]);
	}
	return accepted(Object.fromEntries(rendered));
};

/** The name of a cue's template in errors. */
export const cueTemplate = (id: string, key: string): string => `.hive/cues/${id}.yaml ${key}`;

/**
 * The title is the first line. The body is the rest, or the whole text if the first line is too long for a
 * title.
 */
const templateData = ({text, source, traceId, vars}: CueInput): Readonly<Record<string, string>> => {
	const whole = text.trim();
	const [first = '', ...rest] = whole.split('\n');
	const body = first.trim().length > maxTitle ? whole : rest.join('\n').trim();
	return {Text: whole, Title: titleFrom(whole), Body: body, Source: source, TraceID: traceId, ...vars};
};

const maxTitle = 200;

const titleFrom = (text: string): string =>
	[...(text.trim().split('\n', 1)[0] ?? '').trim()].slice(0, maxTitle).join('');

/** Title and body override `static`, which overrides `payload_template`. */
const signalPayload = (cue: Cue, source: string, {payload, own}: Texts): Payload => ({
	...payload,
	...cue.static,
	...own,
	...(own.title !== undefined && {title: cutTitle(own.title)}),
	source,
	kind: cue.kind ?? '',
});

const taskItem = (cue: Cue, text: string, {own: {title, body}}: Texts) => ({
	title: titleFrom(title ?? text) || cue.id,
	body: body ?? text.trim(),
	bee: cue.bee ?? '',
	...(cue.intent && {intent: cue.intent}),
	review: cue.review,
	dependsOn: [],
});

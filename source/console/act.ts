import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {isObjectId} from '../domain/ids.ts';
import {preconditionOf} from '../domain/precondition.ts';
import {type ActionId, actionTable} from '../host/actions/table.ts';
import type {Host} from '../host/host.ts';
import {withTitles} from '../host/views/titles.ts';
import {addresses} from './addresses.ts';
import type {Caller} from './caller.ts';
import {withDeviceLabel} from './labelled.ts';
import type {Model} from './model.ts';
import {offersFor} from './offers.ts';
import {hashTag, serializeBody} from './tag.ts';
import {taskPage} from './views.ts';

type ActionContext = Awaited<ReturnType<Host['open']>>;

export type ActionRequest = {
	readonly id: ActionId;
	/** Parameters from the request's path. */
	readonly named: Readonly<Record<string, string>>;
	readonly body: Readonly<Record<string, unknown>>;
	/** `If-Match`: the tree that was previewed, or the ETag of the task that was read. */
	readonly ifMatch: string | undefined;
	readonly caller: Caller;
};

/**
 * Runs an action of the table, as the command line does. The actor of its events is `console`, with the
 * device's name.
 */
export const performAction = async (
	context: ActionContext,
	model: Model,
	request: ActionRequest,
): Promise<Outcome<object>> => {
	const {id, caller} = request;
	const read = inputOf(context, model, request);
	if (!read.ok) return read;
	const done = await actionTable[id].run(consoleContext(context, caller), read.value);
	const withTraceTitles = (text: string): string => withTitles(text, model.traces(), Object(read.value));
	if (!done.ok) {
		const {code, message, hint, details} = done.refusal;
		return refuse(code, {message: withTraceTitles(message), hint: withTraceTitles(hint), details});
	}
	const sentences = done.value.sentences.map(withTraceTitles);
	return accepted({...Object(done.value.value), message: sentences[0] ?? '', sentences});
};

/**
 * A copy of the context for this caller. The property descriptors are copied, since `colony` is a getter that
 * reads the current configuration on each access. No request lasts as long as the checks of a landing. So
 * without a reactor, a landing stays in the queue.
 */
const consoleContext = (context: ActionContext, {label}: Caller): ActionContext =>
	Object.defineProperties({} as ActionContext, {
		...Object.getOwnPropertyDescriptors(context),
		by: {value: 'console', enumerable: true},
		landHere: {value: undefined, enumerable: true},
		bus: {value: withDeviceLabel(context.bus, label), enumerable: true},
	});

const inputOf = (
	context: ActionContext,
	model: Model,
	{id, named, body, ifMatch}: ActionRequest,
): Outcome<Readonly<Record<string, unknown>>> => {
	const {fieldAliases = {}, defaults = {}, forbiddenFields = []} = addresses[id];
	const renamed = Object.fromEntries(
		Object.entries(body).map(([name, value]) => [fieldAliases[name] ?? name, value]),
	);
	const complete =
		id === 'task.create' && !('items' in renamed) ? toPlan(renamed, context.ids.task) : renamed;
	const fields = Object.keys(actionTable[id].input.shape).filter(name => !forbiddenFields.includes(name));
	const unknown = Object.keys(complete).filter(name => !fields.includes(name));
	if (unknown.length > 0)
		return refuse('usage', {
			message: 'The body has unknown fields.',
			hint: `It takes ${fields.join(', ')}.`,
			details: unknown.map(path => ({path, message: 'is not known'})),
		});
	const input: Record<string, unknown> = {...defaults, ...complete, ...named};
	if (fields.includes('sessionId') && input.traceId === undefined)
		input.traceId = model.sessions().find(({sessionId}) => sessionId === input.sessionId)?.traceId;
	return withPrecondition(context, model, {id, input, ifMatch});
};

/** Makes a plan with one task out of the task's fields in the body. */
const toPlan = (body: Readonly<Record<string, unknown>>, newTaskId: () => string) => {
	const {traceId, autorun, limits, ...item} = body;
	const text = typeof item.body === 'string' ? item.body : '';
	const title = item.title ?? text.trim().split('\n')[0]?.slice(0, 120) ?? '';
	return {
		...(traceId === undefined ? {} : {traceId}),
		...(autorun === undefined ? {} : {autorun}),
		...(limits === undefined ? {} : {limits}),
		items: [{taskId: newTaskId(), dependsOn: [], ...item, title}],
	};
};

/** The actions that merge what a person saw, at once or once its checks have passed. */
const mergers: readonly ActionId[] = ['proposal.approve', 'landing.retry'];

/**
 * Adds the caller's precondition (`If-Match`) to the input: the tree of a merge to approve or to check again,
 * or the ETag of a task. Refused with `usage` if such a merge has no tree. Refused with `stale_view` if the
 * task no longer has that ETag.
 */
const withPrecondition = (
	{redact = (text: string) => text}: Pick<ActionContext, 'redact'>,
	model: Model,
	{
		id,
		input,
		ifMatch,
	}: Pick<ActionRequest, 'id' | 'ifMatch'> & {readonly input: Readonly<Record<string, unknown>>},
): Outcome<Readonly<Record<string, unknown>>> => {
	const trace = model.traces().get(String(input.traceId));
	const task = trace?.tasks.get(String(input.taskId));
	const tag = ifMatch?.replace(/^W\//, '').replace(/^"(.*)"$/, '$1');
	if (mergers.includes(id) && isObjectId(tag)) return accepted({...input, tree: tag});
	if (mergers.includes(id) && task?.review === 'final' && input.merge !== false && input.tree === undefined)
		return refuse('usage', {
			message: 'Approving a merge needs the id of the tree that you saw, and so does checking it again.',
			hint: 'Send the tree id of the preview as "tree" or If-Match.',
		});
	if (tag === undefined || tag === '*') return accepted(input);
	const now = trace && task && hashTag(serializeBody(taskPage(trace, task, offersFor), redact));
	const [stable] = tag.split('.');
	if (task === undefined || now !== stable) return refuse('stale_view');
	return accepted({...input, expected: input.expected ?? preconditionOf(task)});
};

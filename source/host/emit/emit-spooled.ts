import type {ActionContext} from '../../actions/context.ts';
import {deferEvent} from '../../actions/defer-event.ts';
import {emitEvent} from '../../actions/emit-event.ts';
import {formatRefusal, type Outcome, type Refusal, refuse} from '../../domain/errors.ts';
import {parseObject} from '../../domain/json.ts';
import {readLaunch} from '../../runs/launch.ts';
import type {EmitSpooled, RunName, SpooledEvent} from '../../runs/spool.ts';
import {noteRefused} from './note-refusal.ts';

/**
 * Emits the events that a run queued in its spool (docs/rules.md §5). Its agent got its answer before any
 * check, so each refusal is noted in the trace.
 */
export const createEmitSpooled =
	(context: ActionContext): EmitSpooled =>
	async (run, event) => {
		const outcome = await emit(context, run, event);
		if (outcome.ok) return undefined;
		const {refusal} = outcome;
		// A published event may be refused when it is checked again. Its question may be answered by now, or it
		// may be one event too many. That refusal is ignored.
		if (refusal.code === 'conflict' || (await isPublished(context, run, event.id)))
			return refusal.code === 'conflict' ? refusal : undefined;
		await noteRefused(context, run, formatRefused(event, refusal));
		return refusal;
	};

const emit = async (
	context: ActionContext,
	run: RunName,
	{id, defer, text}: SpooledEvent,
): Promise<Outcome<object>> => {
	if (text === undefined) return refuse('event_too_large');
	const raw = parseObject(text);
	if (raw === undefined) return refuse('invalid_json');
	return (defer ? deferEvent : emitEvent)({...context, insideRun: run}, raw, {...run, id});
};

const isPublished = async (
	{bus}: ActionContext,
	{traceId, agentId}: RunName,
	id: string,
): Promise<boolean> => {
	const after = (await readLaunch({bus}, agentId))?.sequence ?? 0;
	for await (const events of bus.read({traceId, after}))
		if (events.some(event => event.id === id)) return true;
	return false;
};

const maxDetails = 5;
const maxKindLength = 100;

const formatRefused = ({text = ''}: SpooledEvent, refusal: Refusal): string => {
	const {payload}: {readonly payload?: unknown} = parseObject(text) ?? {};
	const {kind}: {readonly kind?: unknown} = {...Object(payload)};
	const named = typeof kind === 'string' ? ` ${kind.slice(0, maxKindLength)}` : '';
	const details = refusal.details.slice(0, maxDetails).map(({path, message}) => `${path} ${message}`);
	return [`The queued event${named} was refused: ${formatRefusal(refusal)}`, ...details].join('; ');
};

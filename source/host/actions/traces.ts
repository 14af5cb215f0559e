import * as z from 'zod/mini';
import type {Frozen} from '../../actions/freeze-trace.ts';
import {formatCount} from '../../domain/format-count.ts';
import {planReviews} from '../../domain/plan-review.ts';
import {openRuns} from '../../domain/trace.ts';
import {mayRunAgain} from '../../ledger/direct-run.ts';
import {formatCost, formatDollars, formatHoney, formatTokens} from '../views/format-reserve.ts';
import {asksPerson} from '../views/run.ts';
import {isOver} from '../views/trace.ts';
import {action, field, type Subject, whoTakesIt} from './action.ts';
import {base, basedOn, fresh, limits, params, textField, traceId} from './fields.ts';
import {liveTrace} from './tasks.ts';

export const kill = action({
	id: 'kill',
	label: 'Kill',
	danger: true,
	confirm: true,
	progressLabel: 'Killing',
	summary: 'Kill a trace: stop its runs, cancel its unfinished tasks, start nothing more.',
	shape: '{v, traceId, reason, cancelled, stopped, stopping, already}',
	input: z.object({traceId, reason: textField('Reason, shown on every cancelled task.')}),
	blocked: subject => liveTrace(subject) ?? whyNotKilled(subject),
	perform: async (context, input) => {
		const {killTrace} = await import('../../actions/kill-trace.ts');
		return killTrace(context, input);
	},
	done: ({traceId: trace, cancelled, stopped, stopping, already}) => [
		already
			? `${trace} was killed before.`
			: `Killed ${trace}: ${formatCount(cancelled.length, 'task')} cancelled, ${formatCount(stopped.length, 'run')} ${stopping ? 'being stopped' : 'stopped'}.`,
	],
});

const whyNotKilled = ({trace}: Subject): string | undefined =>
	trace !== undefined && isOver(trace) ? 'All of it is over: there is nothing to kill.' : undefined;

export const addEnergy = action({
	id: 'energy.add',
	label: 'Add honey',
	progressLabel: 'Adding honey to',
	summary: 'Top up the honey reserve of a trace, or raise its limits of money and tokens.',
	description:
		'Tasks that were blocked for lack of it return to ready. A limit can be raised only if the trace has one.',
	examples: ['energy add --trace trace-0199… --amount 5', 'energy add --trace trace-0199… --cost 2.50'],
	shape:
		'{v, traceId, amount, cost?, tokens?, energyBudget, energyRemaining, maxCost?, maxTokens?, spent: {cost, tokens}, resumed}',
	input: z.object({
		traceId,
		amount: field(z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))), {
			summary: 'Units of honey to add.',
			hint: '<n>',
		}),
		cost: field(z.optional(z.number().check(z.positive(), z.maximum(1_000_000))), {
			summary: 'US dollars that its runs may cost more.',
			hint: '<usd>',
		}),
		tokens: field(z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000_000_000))), {
			summary: 'Tokens that its runs may use more.',
			hint: '<n>',
		}),
	}),
	blocked: liveTrace,
	perform: async (context, input) => {
		const {addEnergy: add} = await import('../../actions/add-energy.ts');
		return add(context, input);
	},
	done: (reserve, {traceId: trace, amount, cost, tokens}) => [
		`${[
			...(amount === undefined ? [] : [`Added ${amount} honey to ${trace}: ${formatHoney(reserve)}.`]),
			...(cost === undefined
				? []
				: [`Added ${formatDollars(cost)} to the cost limit of ${trace}: ${formatCost(reserve)}.`]),
			...(tokens === undefined
				? []
				: [`Added ${formatCount(tokens, 'token')} to the limit of ${trace}: ${formatTokens(reserve)}.`]),
			...(reserve.resumed.length === 0 ? [] : [`Resumed: ${reserve.resumed.join(', ')}.`]),
		].join(' ')}`,
	],
});

export const freeze = action({
	id: 'freeze',
	label: 'Freeze',
	anywhere: true,
	progressLabel: 'Freezing',
	summary: 'Freeze the live runs of a trace where they are, with everything they started.',
	description:
		'Their processes stop using the processor and keep their memory until "hive thaw" or "hive kill". Timeouts go on: a run that is frozen past its timeout is ended. Runs that start later are not frozen. The command works without a reactor.',
	shape: '{v, traceId, runs: [{agentId, bee, processes}…]}',
	input: z.object({traceId}),
	blocked: subject => liveTrace(subject) ?? whyNotFrozen(subject),
	perform: async (context, input) => {
		const {freezeTrace} = await import('../../actions/freeze-trace.ts');
		return freezeTrace(context, {...input, how: 'freeze'});
	},
	done: frozen => [
		frozen.runs.length === 0
			? `No run of ${frozen.traceId} is open.`
			: `Froze ${formatFrozen(frozen)}. Timeouts go on; continue the runs with "hive thaw --trace ${frozen.traceId}".`,
	],
});

export const thaw = action({
	id: 'thaw',
	label: 'Thaw',
	anywhere: true,
	progressLabel: 'Thawing',
	summary: 'Let the frozen runs of a trace go on.',
	shape: '{v, traceId, runs: [{agentId, bee, processes}…]}',
	input: z.object({traceId}),
	blocked: subject => liveTrace(subject) ?? whyNotThawed(subject),
	perform: async (context, input) => {
		const {freezeTrace} = await import('../../actions/freeze-trace.ts');
		return freezeTrace(context, {...input, how: 'thaw'});
	},
	done: thawed => [
		thawed.runs.length === 0 ? `No run of ${thawed.traceId} is open.` : `Thawed ${formatFrozen(thawed)}.`,
	],
});

const whyNotFrozen = (subject: Subject): string | undefined =>
	whyNoRun(subject, isFrozen => !isFrozen, 'Its runs are frozen already.');

const whyNotThawed = (subject: Subject): string | undefined =>
	whyNoRun(subject, isFrozen => isFrozen, 'None of its runs is frozen.');

/** Without the runs' activities, a face offers both freeze and thaw. */
const whyNoRun = (
	{trace, activities}: Subject,
	fits: (isFrozen: boolean) => boolean,
	otherwise: string,
): string | undefined => {
	const open = trace === undefined ? [] : openRuns(trace);
	if (open.length === 0) return 'No run of it is open.';
	if (activities === undefined) return undefined;
	return open.some(({agentId}) => fits(activities.get(agentId)?.isFrozen === true)) ? undefined : otherwise;
};

const formatFrozen = ({traceId: trace, runs}: Frozen): string => {
	const processes = runs.reduce((sum, run) => sum + run.processes, 0);
	return `${formatCount(runs.length, 'run')} of ${trace} (${formatCount(processes, 'process', 'processes')})`;
};

export const takeTrace = action({
	id: 'trace.take',
	label: 'Take over',
	progressLabel: 'Taking',
	summary: 'Move a trace to this checkout when its own is gone.',
	description:
		'A trace belongs to the checkout where its first run started. Refused while that checkout exists, while its reactor is alive, or while a run of the trace is alive. Open runs that had started fail, and their tasks can be retried. If several machines share the log, the branch and the kept trees come from copies beside the log, made when the last run ended. A silent machine gets ten seconds to answer. If it comes back later, it ends what still runs there, and reports that. A moved checkout needs none of this: "hive init" in its new place takes over its log.',
	examples: ['trace take --trace trace-0199…'],
	shape: '{v, traceId, from, place?, already, runs, kept, base?}',
	input: z.object({traceId}),
	perform: async (context, input) => {
		const {takeTrace: take} = await import('../../actions/take-trace.ts');
		return take(context, input);
	},
	done: ({traceId: trace, from, place, already, runs, kept, base}) => [
		already
			? `${trace} belongs to this checkout already.`
			: `Took ${trace} over from ${place ?? `the checkout ${from}`}.`,
		...(runs.length === 0 ? [] : [`The reactor of this checkout sees what became of ${runs.join(', ')}.`]),
		...kept.map(ref => `The earlier work of the trace in this checkout is kept as ${ref}.`),
		...(base === undefined
			? []
			: [`The base in the other checkout has commits that the branch here lacks; they are kept as ${base}.`]),
	],
});

export const runCue = action({
	id: 'cue.run',
	label: 'Run',
	progressLabel: 'Running the cue',
	summary: 'Run a cue: start a feature, or a task, from a few words or from an issue at the forge.',
	examples: ['cue run feature "Add a dark theme"', 'cue run feature --issue 12'],
	shape: '{v, traceId, taskId, eventType, kind, waiting, issue: null or {number, url}}',
	input: z.object({
		cueId: z.string(),
		text: z.optional(z.string()),
		traceId: z.optional(z.string()),
		vars: z.optional(z.record(z.string(), z.string())),
		params,
		planReview: z.optional(z.enum(planReviews)),
		base,
		issue: z.optional(z.string()),
		limits,
	}),
	perform: async (context, input) => {
		const {runCue: run} = await import('../../actions/run-cue.ts');
		return run(context, input);
	},
	done: ({traceId: trace, taskId, kind, waiting, issue}, {base: branch}) => [
		`Trace: ${trace}`,
		...basedOn(branch),
		...(issue === null ? [] : [`From issue #${issue.number}: ${issue.url}`]),
		taskId === '' ? `Published ${kind}.` : `Task: ${taskId}`,
		whoTakesIt(!waiting),
	],
});

export const runBee = action({
	id: 'bee.run',
	label: 'Run',
	progressLabel: 'Asking for the bee',
	summary: 'Run one bee once, outside any task.',
	shape: '{v, traceId, sequence}',
	needsReactor: true,
	input: z.object({
		role: z.string(),
		body: z.string(),
		intent: z.optional(z.string()),
		traceId: z.optional(z.string()),
		params,
		limits,
	}),
	perform: async (context, input) => {
		const {requestBeeRun} = await import('../../actions/request-bee.ts');
		return requestBeeRun(context, input);
	},
	done: ({traceId: trace}) => [`Requested in ${trace}.`],
});

export const retryBee = action({
	id: 'bee.retry',
	label: 'Retry',
	progressLabel: 'Retrying',
	summary: 'Repeat a run that failed, is paused, or asks you something.',
	description:
		'For runs that answer an event, such as planning or a guard. For the run of a task use "hive task retry". With --feedback the next prompt starts with your words; they also answer a question of the run. The next run resumes the session of its tool, if there is one. It costs one unit of honey.',
	examples: [
		'bee retry 5d2f91c04a7be613',
		'bee retry 5d2f91c04a7be613 --feedback "Per client, not per route"',
	],
	shape: '{v, traceId, agentId, bee, taskId}',
	needsReactor: true,
	input: z.object({
		agentId: z.string(),
		feedback: textField(
			'What should be different, or the answer to its question; the next prompt starts with it.',
		),
		fresh,
	}),
	blocked: subject => liveTrace(subject) ?? whyNotRepeated(subject),
	perform: async (context, input) => {
		const {retryRun} = await import('../../actions/retry-run.ts');
		return retryRun(context, input);
	},
	done: ({bee, traceId: trace, taskId}) => [
		taskId === '' ? `The bee ${bee} runs again in ${trace}.` : `The bee ${bee} runs again for ${taskId}.`,
	],
});

const whyNotRepeated = ({trace, run}: Subject): string | undefined =>
	trace && run && (mayRunAgain(trace, run) || asksPerson(trace, run))
		? undefined
		: 'Only the newest run about an event, failed, paused or with a question, can be repeated.';

import {exitCodes} from '../../domain/error-table.ts';
import {accepted} from '../../domain/errors.ts';
import {runBee} from '../../host/actions/traces.ts';
import {holdReactor} from '../../host/hold-reactor.ts';
import {readRunFolder} from '../../host/logs/run-folder.ts';
import {localMoment} from '../../host/views/local-time.ts';
import {runStatusLabel} from '../../host/views/run.ts';
import {followRequest} from '../../host/waits/follow-request.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {bodyFlag, limitFlags, paramFlag, readPairs} from '../shared-flags.ts';
import {warningLine} from '../warning-line.ts';

export const beeRun = command({
	path: 'bee run',
	summary: 'Run one bee once, outside any task, and wait for it.',
	description:
		'Costs one unit of honey of its trace. Without a live reactor this command runs the bee itself. It exits with 8 when the tool met a temporary limit; a live reactor repeats the run when the limit has passed.',
	flags: {
		body: bodyFlag,
		intent: text({summary: 'Mission hint for the bee.', hint: '<intent>'}),
		trace: text({summary: 'Trace to run it in; default: a new one.', hint: '<id>', complete: 'traces'}),
		param: paramFlag('A param of the bee for this run, such as model=opus.'),
		...limitFlags,
	},
	arguments: {role: text({summary: 'Role of the bee.', hint: '<role>', required: true, complete: 'bees'})},
	examples: ['bee run scout -b "Which files deal with uploads?"'],
	json: '{v, traceId, agentId, bee, status, exitCode, summary, pausedUntil, warnings, runDir}',
	run: async ({role, body = '', intent, trace, param, maxCost, maxTokens}, commandContext) => {
		const params = readPairs('--param', param);
		if (!params.ok) return params;
		const context = await commandContext.open();
		// Once requested, the run is pending, and a reactor that starts later carries it out.
		if (!(await context.reactorIsAlive(trace))) await commandContext.expectUsable();
		const requested = await runBee.run(context, {
			role,
			body,
			intent,
			traceId: trace,
			params: params.value,
			limits: {maxCost, maxTokens},
		});
		if (!requested.ok) return requested;
		const request = requested.value.value;
		const {traceId} = request;
		const endController = new AbortController();
		commandContext.signal.addEventListener('abort', () => endController.abort());
		const report = (message: string) => void process.stderr.write(`hive: ${message}\n`);
		const heldReactor = holdReactor(commandContext, {
			...context,
			only: traceId,
			report,
			signal: endController.signal,
		});
		let failed: unknown;
		heldReactor.over.catch((error: unknown) => {
			failed = error;
			endController.abort();
		});
		const answer = await followRequest(context, {...request, role, until: 'closed'}, endController.signal);
		endController.abort();
		await heldReactor.close();
		if (failed !== undefined) throw failed;
		if (!answer.ok) return answer;
		const run = answer.value;
		const {agentId = '', status = 'waiting', exitCode = null, warnings = [], pausedUntil = ''} = run ?? {};
		const {runDir, summary: written} = await readRunFolder(context, traceId, run?.agentId);
		const isDone = status === 'completed';
		const summary = isDone ? written : (run?.summary ?? '');
		return accepted({
			json: {traceId, agentId, bee: role, status, exitCode, summary, pausedUntil, warnings, runDir},
			text: [
				{
					text: `${role} ${run === undefined ? status : runStatusLabel(run)}`,
					style: styleOf(run === undefined ? status : runStatusLabel(run)),
				},
				`  trace ${traceId}  agent ${agentId}\n${runDir}\n`,
				...warnings.flatMap(text => [warningLine(text), '\n']),
				summary,
				pausedUntil === ''
					? ''
					: `\nA live reactor continues it at ${localMoment(pausedUntil)}. To continue now: hive bee retry ${agentId}`,
			],
			exit: pausedUntil !== '' ? exitCodes.waitingForHuman : isDone ? exitCodes.done : exitCodes.failed,
		});
	},
});

const styleOf = (words: string): 'good' | 'attention' | 'bad' => {
	if (words === 'completed') return 'good';
	return words === 'asked' || words === 'no change' ? 'attention' : 'bad';
};

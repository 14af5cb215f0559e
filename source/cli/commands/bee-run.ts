import {exitCodes} from '../../domain/error-table.ts';
import {accepted} from '../../domain/errors.ts';
import {runBee} from '../../host/actions/traces.ts';
import {holdReactor} from '../../host/hold-reactor.ts';
import {readRunFolder} from '../../host/logs/run-folder.ts';
import {localMoment} from '../../host/views/local-time.ts';
import {runWords} from '../../host/views/run.ts';
import {followRequest} from '../../host/waits/follow-request.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {bodyFlag, limitFlags} from '../shared-flags.ts';
import {warningLine} from '../warning-line.ts';

export const beeRun = command({
	path: 'bee run',
	summary: 'Run one bee once, outside any task, and wait for it.',
	description:
		'Costs one unit of the honey of its trace. Without a live reactor this command runs the bee itself. It exits with 8 when its tool met a limit that passes: the run is done again then, by a reactor that is alive.',
	flags: {
		body: bodyFlag,
		intent: text({summary: 'Mission hint for the bee.', hint: '<intent>'}),
		trace: text({summary: 'Trace to run it in; a new one without it.', hint: '<id>', complete: 'traces'}),
		...limitFlags,
	},
	arguments: {role: text({summary: 'Role of the bee.', hint: '<role>', required: true, complete: 'bees'})},
	examples: ['bee run scout -b "Which files deal with uploads?"'],
	json: '{v, traceId, agentId, bee, status, exitCode, summary, pausedUntil, warnings, runDir}',
	run: async ({role, body = '', intent, trace, maxCost, maxTokens}, session) => {
		const context = await session.open();
		// Once requested, the run is pending, and a reactor that starts later carries it out.
		if (!(await context.reactorIsAlive(trace))) await session.expectUsable();
		const asked = await runBee.run(context, {
			role,
			body,
			intent,
			traceId: trace,
			limits: {maxCost, maxTokens},
		});
		if (!asked.ok) return asked;
		const request = asked.value.value;
		const {traceId} = request;
		const over = new AbortController();
		session.signal.addEventListener('abort', () => over.abort());
		const report = (message: string) => void process.stderr.write(`hive: ${message}\n`);
		const held = holdReactor(session, {...context, only: traceId, report, signal: over.signal});
		let failed: unknown;
		held.over.catch((error: unknown) => {
			failed = error;
			over.abort();
		});
		const answer = await followRequest(context, {...request, role, until: 'closed'}, over.signal);
		over.abort();
		await held.close();
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
					text: `${role} ${run === undefined ? status : runWords(run)}`,
					style: styleOf(run === undefined ? status : runWords(run)),
				},
				`  trace ${traceId}  agent ${agentId}\n${runDir}\n`,
				...warnings.flatMap(text => [warningLine(text), '\n']),
				summary,
				pausedUntil === ''
					? ''
					: `\nIt goes on at ${localMoment(pausedUntil)} while a reactor is alive, or now: hive bee retry ${agentId}`,
			],
			exit: pausedUntil !== '' ? exitCodes.waitingForHuman : isDone ? exitCodes.done : exitCodes.failed,
		});
	},
});

const styleOf = (words: string): 'good' | 'attention' | 'bad' => {
	if (words === 'completed') return 'good';
	return words === 'asked' || words === 'no change' ? 'attention' : 'bad';
};

import {isName} from '../../domain/ids.ts';
import {runDirectory, runPath} from '../../runs/layout.ts';
import type {RunName} from '../../runs/spool.ts';
import type {DispatchPorts} from '../ports.ts';

type Ports = Pick<DispatchPorts, 'bus' | 'files' | 'colony' | 'report'>;

/**
 * Hands the answers that a contained run waits for into its container, until the signal: as files that it can
 * only read. It cannot ask the reactor, whose socket has a person's power. Does nothing for other runs.
 */
export const followAnswers = (ports: Ports, run: RunName, signal: AbortSignal): void => {
	writeAnswers(ports, run, signal).catch((error: unknown) =>
		ports.report(`The answers to run ${run.agentId} of ${run.traceId} do not reach it.`, error),
	);
};

const writeAnswers = async (
	{bus, files, colony}: Ports,
	{traceId, agentId}: RunName,
	signal: AbortSignal,
): Promise<void> => {
	const directory = runDirectory(colony().root, traceId, agentId);
	const folder = runPath(directory, 'answers');
	if (!(await files.list(directory)).includes('answers')) return;
	const asked = new Set<string>();
	for await (const events of bus.follow({traceId, after: 0, signal}))
		for (const {agentId: by, payload} of events) {
			const {kind, questionId, waits, option, text} = payload;
			if (typeof questionId !== 'string' || !isName(questionId)) continue;
			if (kind === 'human.question' && by === agentId && waits === true) asked.add(questionId);
			if (kind === 'human.answer' && asked.delete(questionId))
				await files.write(`${folder}/${questionId}`, JSON.stringify({option, text}), {mode: 0o600});
		}
};

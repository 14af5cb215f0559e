import {existsSync} from 'node:fs';
import {type Bee, beeOf, keepsTrees, workspaceOf} from '../colony/colony.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import type {Prepared} from '../ports/processes.ts';
import {worktreePath} from '../workspaces/worktree-state.ts';
import type {DispatchPorts} from './ports.ts';

/** Supervisors of runs that are about to be claimed. */
export type Expected = {
	/**
	 * Has one ready, where that can be without a claim: nothing is written for it, and it goes by itself where no claim comes about. Resolves when
	 * it is asked for.
	 */
	readonly expect: (trace: Trace, run: RunRecord) => Promise<unknown>;
	/** The run's, for whoever begins it now. */
	readonly take: (agentId: string) => Promise<Prepared | undefined>;
};

/** How long one waits for its run: what anybody changes in the workspace meanwhile is taken for the run's. */
const longestMilliseconds = 1000;

export const createExpected = (ports: DispatchPorts): Expected => {
	const expected = new Map<
		string,
		{readonly prepared: Promise<Prepared | undefined>; readonly cancel: () => void}
	>();
	return {
		expect: (trace, run) => {
			const {agentId} = run;
			const prepared = prepareRun(ports, trace, run).catch(() => undefined);
			const cancel = ports.clock.after(longestMilliseconds, () => {
				expected.delete(agentId);
				void prepared.then(found => found?.drop());
			});
			expected.set(agentId, {prepared, cancel});
			return prepared;
		},
		take: async agentId => {
			const found = expected.get(agentId);
			expected.delete(agentId);
			found?.cancel();
			return found?.prepared;
		},
	};
};

const prepareRun = async (
	ports: DispatchPorts,
	trace: Trace,
	run: RunRecord,
): Promise<Prepared | undefined> => {
	const {git, processes, colony} = ports;
	const bee = beeOf(colony(), run.bee);
	if (bee === undefined || run.verifies !== undefined) return undefined;
	const workspace = findWorkspace(ports, trace, run, bee);
	if (workspace === undefined) return undefined;
	const recordTrees = keepsTrees(bee, run);
	if (recordTrees && (await git.leftOut(workspace)).length > 0) return undefined;
	return processes.prepare({workspace, recordTrees});
};

/** Where it will work, if that is there and needs nothing. */
const findWorkspace = (
	{colony}: DispatchPorts,
	{traceId, tasks}: Trace,
	run: RunRecord,
	bee: Bee,
): string | undefined => {
	const {root, workspaces} = colony();
	const sector = tasks.get(run.taskId ?? '')?.sector ?? bee.sector ?? '';
	if (sector !== '') return undefined;
	if (workspaceOf(bee, run) === 'root') return root;
	const path = worktreePath({root, traceId});
	return workspaces === undefined && existsSync(`${path}/.git`) ? path : undefined;
};

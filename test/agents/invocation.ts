import type {Invocation} from '../../source/agents/invocation.ts';
import type {Bee} from '../../source/colony/colony.ts';

/** An invocation of a bee without settings of its own. */
export const sampleInvocation = (
	bee: Partial<Bee> = {},
	changes: Partial<Omit<Invocation, 'bee'>> = {},
): Invocation => ({
	bee: {
		role: 'maker',
		file: '.hive/bees/maker.yaml',
		adapter: 'alpha',
		params: {},
		runSummary: 'auto',
		completionContract: [],
		worktree: true,
		intents: [],
		subscribes: [],
		publishes: [],
		...bee,
	},
	prompt: 'Do it.',
	traceId: 'trace-1',
	agentId: 'agent-1',
	taskId: 'task-1',
	workspace: '/repo/.hive/worktrees/trace-1',
	colonyRoot: '/repo',
	runDir: '/repo/.hive/runs/trace-1/agent-1',
	settings: {},
	...changes,
});

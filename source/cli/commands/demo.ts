import {accepted, expectAccepted, type Outcome} from '../../domain/errors.ts';
import {runCue} from '../../host/actions/traces.ts';
import {type Command, type CommandGroup, command, type Result} from '../command.ts';
import {type CommandContext, contextAt} from '../command-context.ts';
import {commandOffers} from '../command-offers.ts';
import {runDemoHeadless} from '../demo-headless.ts';
import {commitDemo, makeDemoRepository} from '../demo-repository.ts';
import {formatNextSteps} from '../what-next.ts';

const request = 'Give to-do items a priority';

/** @param all every command */
export const demoFor = (all: readonly CommandGroup[]): Command =>
	command({
		path: 'demo',
		summary: 'Watch the main job on a temporary repository: a request becomes a merged commit.',
		description:
			'Makes a git repository with a small real program and a colony of scripted bees (planner, builder, guard), asks for a feature and opens the dashboard on it. When the final gate waits, "a" shows the diff and merges. Without a terminal the same path runs headless and is approved.',
		flags: {},
		json: 'one line per event: {v, sequence, id, at, traceId, agentId, type, payload}; the last line: {v, root, traceId, commit, base}',
		run: async (_, commandContext) => {
			const {git} = await commandContext.tools();
			const root = await makeDemoRepository(git);
			const own = contextAt(commandContext, root);
			expectAccepted(await own.init({}));
			await commitDemo(git, root);
			const {value} = expectAccepted(await runCue.run(await own.open(), {cueId: 'feature', text: request}));
			const {traceId} = value;
			const isInteractive = commandContext.stdout.isTTY && !commandContext.json && !commandContext.env.CI;
			return isInteractive ? show(own, root, traceId, all) : runDemoHeadless(own, root, traceId);
		},
	});

const show = async (
	commandContext: CommandContext,
	root: string,
	traceId: string,
	all: readonly CommandGroup[],
): Promise<Outcome<Result>> => {
	const {color, signal} = commandContext;
	const ended = await commandContext.showDashboard(commandContext, {
		...{color, signal, screenReader: false, console: false},
		commands: () => commandOffers(all),
	});
	await commandContext.close();
	if (!ended.ok) return ended;
	return accepted({
		json: {root, traceId},
		text: formatNextSteps(root, traceId, commandContext.env),
		exit: ended.value,
	});
};

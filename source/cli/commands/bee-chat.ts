import {refuse} from '../../domain/errors.ts';
import {chatWithBee} from '../../host/actions/sessions.ts';
import {refuseChat} from '../../host/sessions/sessions.ts';
import {findTarget, openSession, terminalOptions} from '../attach/open-session.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {bodyFlag, limitFlags} from '../shared-flags.ts';

export const beeChat = command({
	path: 'bee chat',
	summary: "Talk with one bee in its own terminal program, in the trace's worktree where it has one.",
	description: `Costs one unit of the honey of its trace. It goes on when you leave it with Ctrl+], and when the window, the dashboard or the reactor ends: find it again with "hive session attach". What it changed is proposed when its program ends, if the bee declares a proposal.`,
	flags: {
		body: bodyFlag,
		intent: text({summary: 'Mission hint for the bee.', hint: '<intent>'}),
		trace: text({summary: 'Trace to talk in; a new one without it.', hint: '<id>', complete: 'traces'}),
		terminal: text({
			summary: 'Where it opens: default is this terminal; or ghostty, kitty, alacritty, wezterm, tmux.',
			hint: '<name>',
		}),
		task: text({summary: 'Task that it is about: the bee is told its id.', hint: '<id>', complete: 'tasks'}),
		...limitFlags,
	},
	arguments: {
		role: text({summary: 'Role of the bee.', hint: '<role>', required: true, complete: 'bees'}),
		prompt: text({summary: 'The first words, as --body has them.', hint: '<prompt>'}),
	},
	examples: ['bee chat builder', 'bee chat scout "What is slow here?"'],
	json: '{v, traceId, sessionId, bee, state, exitCode}',
	run: async (
		{role, prompt, body = prompt ?? '', intent, trace, task, terminal: chosen, maxCost, maxTokens},
		commandContext,
	) => {
		const context = await commandContext.open();
		const refused = refuseChat(context.colony, role);
		if (refused !== undefined) return refused;
		const target = await findTarget(commandContext, chosen);
		if (!target.ok) return target;
		if (target.value.terminal === undefined && target.value.window === undefined)
			return refuse('not_a_terminal', {
				message: `A session needs a terminal, to talk with "${role}" in.`,
				hint: `Without one, use "hive bee run ${role} --body <text>".`,
			});
		if (!(await context.reactorIsAlive(trace))) await commandContext.expectUsable();
		const requested = await chatWithBee.run(context, {
			...{role, body, intent, traceId: trace, taskId: task, limits: {maxCost, maxTokens}},
			...terminalOptions(target.value, commandContext.env),
		});
		if (!requested.ok) return requested;
		return openSession(commandContext, target.value, {...requested.value.value, role});
	},
});

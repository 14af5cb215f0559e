import {accepted, refuse} from '../../domain/errors.ts';
import {chatWithBee} from '../../host/actions/sessions.ts';
import {refuseChat} from '../../host/sessions/sessions.ts';
import {findTarget, nowhere, openSession, terminalOptions} from '../attach/open-session.ts';
import {command} from '../command.ts';
import {boolean, text} from '../flags.ts';
import {baseFlag, bodyFlag, limitFlags} from '../shared-flags.ts';

export const beeChat = command({
	path: 'bee chat',
	summary: "Talk with one bee in its own terminal program, in the trace's worktree where it has one.",
	description: `Costs one unit of honey of its trace. The session goes on when you leave it with Ctrl+], and when the window, the dashboard or the reactor ends. "hive session attach" returns to it. When its program ends, its changes are proposed if the bee declares a proposal.`,
	flags: {
		body: bodyFlag,
		intent: text({summary: 'Mission hint for the bee.', hint: '<intent>'}),
		trace: text({summary: 'Trace to talk in; default: a new one.', hint: '<id>', complete: 'traces'}),
		detached: boolean({
			summary: 'Start the session and print its id, without a terminal. "hive session attach" shows it.',
		}),
		terminal: text({
			summary:
				'Where the session opens: default (this terminal), ghostty, kitty, alacritty, wezterm or tmux.',
			hint: '<name>',
		}),
		task: text({
			summary: 'Task that the talk is about; the bee gets its id.',
			hint: '<id>',
			complete: 'tasks',
		}),
		base: baseFlag,
		...limitFlags,
	},
	arguments: {
		role: text({summary: 'Role of the bee.', hint: '<role>', required: true, complete: 'bees'}),
		prompt: text({summary: 'The first words; same as --body.', hint: '<prompt>'}),
	},
	examples: [
		'bee chat builder',
		'bee chat scout "What is slow here?"',
		'bee chat scout "Read the tests first." --detached --json',
	],
	json: '{v, traceId, sessionId, bee, state, exitCode}',
	run: async (
		{
			role,
			prompt,
			body = prompt ?? '',
			intent,
			trace,
			task,
			base,
			detached,
			terminal: chosen,
			maxCost,
			maxTokens,
		},
		commandContext,
	) => {
		const context = await commandContext.open();
		const refused = refuseChat(context.colony, role);
		if (refused !== undefined) return refused;
		if (detached && chosen !== undefined)
			return refuse('usage', {
				message: 'A detached session opens in no terminal.',
				hint: 'Leave out --detached or --terminal.',
			});
		const target = detached ? accepted(nowhere) : await findTarget(commandContext, chosen);
		if (!target.ok) return target;
		if (!detached && target.value.terminal === undefined && target.value.window === undefined)
			return refuse('not_a_terminal', {
				message: `A session with "${role}" needs a terminal.`,
				hint: `Add --detached, or use "hive bee run ${role} --body <text>".`,
			});
		if (!(await context.reactorIsAlive(trace))) await commandContext.expectUsable();
		const requested = await chatWithBee.run(context, {
			...{role, body, intent, traceId: trace, taskId: task, base, limits: {maxCost, maxTokens}},
			...terminalOptions(target.value, commandContext.env),
		});
		if (!requested.ok) return requested;
		return openSession(commandContext, target.value, {...requested.value.value, role});
	},
});

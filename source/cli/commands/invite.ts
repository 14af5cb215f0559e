import {accepted, refuse} from '../../domain/errors.ts';
import {firstLineOf, inviteStatuses} from '../../domain/invite.ts';
import type {Action} from '../../host/actions/action.ts';
import {acceptInvite, recordInvite, rejectInvite} from '../../host/actions/invites.ts';
import {refuseChat} from '../../host/sessions/sessions.ts';
import {readTrace, readTraces} from '../../host/traces.ts';
import {type InviteSnapshot, invitesOf, openInvites} from '../../host/views/invite.ts';
import {findTarget, openSession, terminalOptions} from '../attach/open-session.ts';
import {command} from '../command.ts';
import {boolean, choice, text} from '../flags.ts';
import {renderTable} from '../render-table.ts';
import {bodyFlag, traceFlag} from '../shared-flags.ts';

const whichTrace = text({
	summary: 'Trace of the invite, if two invites have the same id.',
	hint: '<id>',
	complete: 'traces',
});
const invite = text({summary: 'Id of the invite.', hint: '<id>', required: true, complete: 'invites'});

const describeAction = ({summary, description, examples, shape}: Action) => ({
	...{summary, json: shape},
	...(description && {description}),
	...(examples && {examples}),
});

export const inviteList = command({
	path: 'invite list',
	summary: 'List the invites that can be accepted: pending ones, then deferred and incomplete ones.',
	flags: {
		trace: text({summary: 'Only of this trace.', hint: '<id>', complete: 'traces'}),
		status: choice({
			summary: 'List those with this status instead.',
			choices: [...inviteStatuses, 'all'],
		}),
	},
	examples: ['invite list', 'invite list --status all --json'],
	json: '{v, invites: [{inviteId, traceId, bee, task, intent, status, artifactRef, sessionId, createdAt, updatedAt}]}',
	run: async ({trace, status}, commandContext) => {
		const context = await commandContext.open();
		const found = trace === undefined ? undefined : await readTrace(context, trace);
		if (found?.ok === false) return found;
		const traces = found === undefined ? await readTraces(context) : [found.value];
		const open = openInvites(traces);
		const invites = status === undefined ? open : invitesOf(traces, status);
		const isShown = (one: InviteSnapshot): boolean =>
			invites.some(({traceId, inviteId}) => traceId === one.traceId && inviteId === one.inviteId);
		const rows = invites.map(invite => [
			invite.inviteId,
			invite.traceId,
			invite.intent === '' ? invite.bee : `${invite.bee}/${invite.intent}`,
			invite.status,
			firstLineOf(invite),
		]);
		return accepted({
			json: {invites},
			text: async () =>
				rows.length === 0
					? status === undefined
						? 'No invite waits for you.'
						: 'There are no such invites.'
					: [
							...(await renderTable(
								['INVITE', 'TRACE', 'BEE', 'STATUS', 'TASK'].map(title => ({title})),
								rows,
								commandContext.stdout.columns,
							)),
							...formatAnswerHint(open.filter(isShown), role => refuseChat(context.colony, role)),
						],
		});
	},
});

/** How to answer those that can be answered. Some may name bees that cannot hold a conversation any more. */
const formatAnswerHint = (
	open: readonly InviteSnapshot[],
	refuse: (role: string) => ReturnType<typeof refuseChat>,
): readonly string[] => {
	const bees = [...new Set(open.map(({bee}) => bee))].map(role => refuse(role)?.refusal.message);
	const unanswerable = bees.flatMap(message => message ?? []);
	return [
		...(unanswerable.length < bees.length ? [acceptHint] : []),
		...unanswerable.map(message => `\n${message} ${rejectHint}`),
	];
};

const rejectHint = 'Its invites can only be rejected: "hive invite reject <id>".';
const acceptHint =
	'\nAccept with "hive invite accept <id>"; "hive invite reject <id>" says no, or later with --defer.';

export const inviteAccept = command({
	path: 'invite accept',
	...describeAction(acceptInvite),
	flags: {
		trace: whichTrace,
		attach: boolean({summary: 'Join the session as soon as it starts; the default in a terminal.'}),
		detached: boolean({summary: 'Start the session without joining it.'}),
	},
	arguments: {invite},
	run: async ({invite: inviteId, trace, attach, detached}, commandContext) => {
		if (attach && detached) return refuse('usage', {message: 'Give only one of --attach and --detached.'});
		const target = await findTarget(commandContext);
		if (!target.ok) return target;
		const isShown = target.value.terminal !== undefined || target.value.window !== undefined;
		if (attach && !isShown)
			return refuse('not_a_terminal', {
				message: 'Joining a session needs a terminal.',
				hint: 'Without one, use --detached; "hive session attach" joins it later.',
			});
		const context = await commandContext.open();
		const terminalSettings = terminalOptions(target.value, commandContext.env);
		const done = await acceptInvite.run(context, {inviteId, traceId: trace, ...terminalSettings});
		if (!done.ok) return done;
		const {value, sentences} = done.value;
		if (isShown && !detached && !commandContext.json)
			return openSession(commandContext, target.value, {...value, role: value.bee});
		return accepted({json: value, text: sentences.join('\n')});
	},
});

export const inviteReject = command({
	path: 'invite reject',
	...describeAction(rejectInvite),
	flags: {trace: whichTrace, defer: boolean({summary: 'Defer it instead: it can be accepted later.'})},
	arguments: {invite},
	run: async ({invite: inviteId, trace, defer}, commandContext) => {
		const done = await rejectInvite.run(await commandContext.open(), {inviteId, traceId: trace, defer});
		if (!done.ok) return done;
		const {value, sentences} = done.value;
		return accepted({json: value, text: sentences.join('\n')});
	},
});

export const inviteRecord = command({
	path: 'invite record',
	...describeAction(recordInvite),
	flags: {
		trace: traceFlag,
		bee: text({summary: 'Bee to talk with.', hint: '<role>', required: true, complete: 'bees'}),
		intent: text({summary: 'What the talk is for; one of the intents of the bee.', hint: '<intent>'}),
		body: bodyFlag,
		stdin: boolean({summary: 'Read the body from standard input.'}),
		artifactRef: text({summary: 'File that the talk is about.', hint: '<path>', complete: 'files'}),
		inviteId: text({summary: 'Id of the invite; default: a new one.', hint: '<id>', complete: 'invites'}),
	},
	run: async ({trace, body, stdin, ...input}, commandContext) => {
		if (stdin && body !== undefined)
			return refuse('usage', {message: 'Give the body once: --body or --stdin.'});
		const task = stdin ? await commandContext.stdin() : (body ?? '');
		const done = await recordInvite.run(await commandContext.open(), {...input, traceId: trace, task});
		if (!done.ok) return done;
		const {value, sentences} = done.value;
		return accepted({json: value, text: sentences.join('\n')});
	},
});

import {accepted, refuse} from '../../domain/errors.ts';
import {firstLineOf, inviteStatuses} from '../../domain/invite.ts';
import type {Action} from '../../host/actions/action.ts';
import {acceptInvite, recordInvite, rejectInvite} from '../../host/actions/invites.ts';
import {refuseChat} from '../../host/sessions/sessions.ts';
import {readTrace, readTraces} from '../../host/traces.ts';
import {type InviteSnapshot, invitesOf, openInvites} from '../../host/views/invite.ts';
import {lookOf, openSession, placeFor} from '../attach/open-session.ts';
import {command} from '../command.ts';
import {boolean, choice, text} from '../flags.ts';
import {renderTable} from '../render-table.ts';
import {bodyFlag, traceFlag} from '../shared-flags.ts';

const whichTrace = text({
	summary: 'Trace of the invite, where two have the same id.',
	hint: '<id>',
	complete: 'traces',
});
const invite = text({summary: 'Id of the invite.', hint: '<id>', required: true, complete: 'invites'});

const wordsOf = ({summary, description, examples, shape}: Action) => ({
	...{summary, json: shape},
	...(description && {description}),
	...(examples && {examples}),
});

export const inviteList = command({
	path: 'invite list',
	summary: 'List the invites that can be accepted: those that wait, then those put off or left incomplete.',
	flags: {
		trace: text({summary: 'Only of this trace.', hint: '<id>', complete: 'traces'}),
		status: choice({
			summary: 'Those in this status instead.',
			choices: [...inviteStatuses, 'all'],
		}),
	},
	examples: ['invite list', 'invite list --status all --json'],
	json: '{v, invites: [{inviteId, traceId, bee, task, intent, status, artifactRef, sessionId, createdAt, updatedAt}]}',
	run: async ({trace, status}, session) => {
		const context = await session.open();
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
								session.stdout.columns,
							)),
							...answerWords(open.filter(isShown), role => refuseChat(context.colony, role)),
						],
		});
	},
});

/** How to answer those that can be answered. Some may name bees that cannot hold a conversation any more. */
const answerWords = (
	open: readonly InviteSnapshot[],
	refuse: (role: string) => ReturnType<typeof refuseChat>,
): readonly string[] => {
	const bees = [...new Set(open.map(({bee}) => bee))].map(role => refuse(role)?.refusal.message);
	const mute = bees.flatMap(message => message ?? []);
	return [
		...(mute.length < bees.length ? [acceptWords] : []),
		...mute.map(message => `\n${message} ${rejectWords}`),
	];
};

const rejectWords = 'Its invites can only be rejected: "hive invite reject <id>".';
const acceptWords =
	'\nAccept with "hive invite accept <id>"; "hive invite reject <id>" says no, or later with --defer.';

export const inviteAccept = command({
	path: 'invite accept',
	...wordsOf(acceptInvite),
	flags: {
		trace: whichTrace,
		attach: boolean({summary: 'Join the session as soon as it is there; the default in a terminal.'}),
		detached: boolean({summary: 'Let the session begin by itself.'}),
	},
	arguments: {invite},
	run: async ({invite: inviteId, trace, attach, detached}, session) => {
		if (attach && detached) return refuse('usage', {message: 'Give one of --attach and --detached.'});
		const place = await placeFor(session);
		if (!place.ok) return place;
		const isShown = place.value.terminal !== undefined || place.value.window !== undefined;
		if (attach && !isShown)
			return refuse('not_a_terminal', {
				message: 'A session is joined in a terminal.',
				hint: 'Without one, use --detached; "hive session attach" joins it later.',
			});
		const context = await session.open();
		const look = lookOf(place.value, session.env);
		const done = await acceptInvite.run(context, {inviteId, traceId: trace, ...look});
		if (!done.ok) return done;
		const {value, sentences} = done.value;
		if (isShown && !detached && !session.json)
			return openSession(session, place.value, {...value, role: value.bee});
		return accepted({json: value, text: sentences.join('\n')});
	},
});

export const inviteReject = command({
	path: 'invite reject',
	...wordsOf(rejectInvite),
	flags: {trace: whichTrace, defer: boolean({summary: 'Defer it instead: it can be accepted later.'})},
	arguments: {invite},
	run: async ({invite: inviteId, trace, defer}, session) => {
		const done = await rejectInvite.run(await session.open(), {inviteId, traceId: trace, defer});
		if (!done.ok) return done;
		const {value, sentences} = done.value;
		return accepted({json: value, text: sentences.join('\n')});
	},
});

export const inviteRecord = command({
	path: 'invite record',
	...wordsOf(recordInvite),
	flags: {
		trace: traceFlag,
		bee: text({summary: 'Bee to talk with.', hint: '<role>', required: true, complete: 'bees'}),
		intent: text({summary: 'What the talk is for; one of the intents of the bee.', hint: '<intent>'}),
		body: bodyFlag,
		stdin: boolean({summary: 'Read the body from standard input.'}),
		artifactRef: text({summary: 'File that the talk is about.', hint: '<path>', complete: 'files'}),
		inviteId: text({summary: 'Id of the invite; a new one without it.', hint: '<id>', complete: 'invites'}),
	},
	run: async ({trace, body, stdin, ...input}, session) => {
		if (stdin && body !== undefined)
			return refuse('usage', {message: 'Give the body once: --body or --stdin.'});
		const task = stdin ? await session.stdin() : (body ?? '');
		const done = await recordInvite.run(await session.open(), {...input, traceId: trace, task});
		if (!done.ok) return done;
		const {value, sentences} = done.value;
		return accepted({json: value, text: sentences.join('\n')});
	},
});

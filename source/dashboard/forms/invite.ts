import {type Invite, mayMove} from '../../domain/invite.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Form} from '../store/form.ts';
import {inviteLines} from '../store/invite.ts';
import {traceTitle} from '../store/names.ts';
import type {Terminal} from './session.ts';
import {cancelButton, form, type Opening} from './target.ts';

/** Max lines of the task, so that the dialog's buttons stay visible. */
const shownLines = 6;

const target = ({traceId}: Trace, {inviteId}: Invite) => ({traceId, inviteId});

/** @param terminal initial terminal of the session */
export const acceptForm = ({now, traces}: Opening, trace: Trace, invite: Invite, terminal: Terminal): Form =>
	form(now, {
		title: `Accept the invite to ${invite.bee} · ${traceTitle(traces, trace)}`,
		lines: [
			...inviteLines(invite, shownLines),
			[{text: 'A session with it begins, for one honey unit, which does not come back.', tone: 'dim'}],
		],
		buttons: [cancelButton, {label: 'y Accept', key: 'y', value: 'accept'}],
		request: {action: 'invite.accept', input: {...target(trace, invite), ...terminal}},
	});

const later = {label: 'l Later', key: 'l', value: 'later', input: {defer: true}};

export const declineForm = ({now, traces}: Opening, trace: Trace, invite: Invite): Form =>
	form(now, {
		title: `Reject the invite to ${invite.bee} · ${traceTitle(traces, trace)}`,
		lines: [
			...inviteLines(invite, shownLines),
			[{text: 'No session begins. A rejected invite cannot be accepted later.', tone: 'dim'}],
		],
		buttons: [
			cancelButton,
			{label: 'x Reject', key: 'x', value: 'reject'},
			...(mayMove(invite.status, 'deferred') ? [later] : []),
		],
		request: {action: 'invite.reject', input: target(trace, invite)},
	});

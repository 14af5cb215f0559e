import type {Invite, InviteStatus} from '../../domain/invite.ts';
import {type Line, line} from '../parts/line.ts';

/** The bee of an invite, and the intent. */
export const inviteTitle = ({bee, intent = ''}: Invite): string =>
	intent === '' ? bee : `${bee} · ${intent}`;

/** Why an invite that no longer waits for a person can still be accepted. */
const standing: Readonly<Partial<Record<InviteStatus, string>>> = {
	deferred: 'It was put off until later.',
	incomplete: 'It was accepted, but its result is still missing.',
	accepted: 'It was accepted, but its session was never requested.',
};

/**
 * What a person needs to know before they answer.
 * @param most max lines of the task; the rest are counted
 */
export const inviteLines = (invite: Invite, most = Number.POSITIVE_INFINITY): readonly Line[] => {
	const lines = invite.task.split('\n');
	const left = lines.length - most;
	const {artifactRef = ''} = invite;
	const stands = standing[invite.status];
	return [
		line(inviteTitle(invite), 'strong'),
		...(stands === undefined ? [] : [line(stands, 'info')]),
		...(artifactRef === '' ? [] : [line(`about ${artifactRef}`, 'dim')]),
		...lines.slice(0, most).map(text => line(text)),
		...(left > 0 ? [line(`and ${left} more lines: hive invite list --json`, 'dim')] : []),
	];
};

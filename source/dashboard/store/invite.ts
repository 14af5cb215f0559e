import type {Invite} from '../../domain/invite.ts';
import {type Line, line} from '../parts/line.ts';

/** Whom a person is invited to talk with, and what for. */
const inviteTitle = ({bee, intent = ''}: Invite): string => (intent === '' ? bee : `${bee} · ${intent}`);

/**
 * What a person has to know before answering.
 *
 * @param most lines of its task; those beyond are counted
 */
export const inviteLines = (invite: Invite, most = Number.POSITIVE_INFINITY): readonly Line[] => {
	const lines = invite.task.split('\n');
	const left = lines.length - most;
	const {artifactRef = ''} = invite;
	return [
		line(inviteTitle(invite), 'strong'),
		...(artifactRef === '' ? [] : [line(`about ${artifactRef}`, 'dim')]),
		...lines.slice(0, most).map(text => line(text)),
		...(left > 0 ? [line(`and ${left} more lines: hive invite list --json`, 'dim')] : []),
	];
};

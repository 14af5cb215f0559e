import type {AutoInvite, Bee, Colony, Drawn} from '../colony/colony.ts';
import type {StoredEvent} from '../domain/event.ts';
import {isDescribed, isOfInvites, maxInviteTaskLength, maxRefLength, scalarIn} from '../domain/invite.ts';
import type {PendingInvite} from './machine.ts';

/**
 * Returns the invite that an event asks for. It is from the first matching rule for a bee of the colony that
 * people can talk with. Its id is derived from the event, so every reactor makes the same invite.
 */
export const inviteFor = (event: StoredEvent, colony: Colony): PendingInvite | undefined => {
	if (isOfInvites(event.payload.kind)) return undefined;
	const rule = (colony.autoInvites ?? []).find(one => isDescribed(event, one));
	const bee = rule && invitedBee(event, rule, colony);
	if (rule === undefined || bee === undefined) return undefined;
	const intent = drawnFrom(event, rule.intent).slice(0, maxIntentLength);
	const artifactRef = drawnFrom(event, rule.artifactRef);
	const {recall} = rule.task;
	return {
		inviteId: `inv-${event.sequence.toString(16).padStart(16, '0')}`,
		trigger: event.sequence,
		bee: bee.role,
		...(intent && {intent}),
		...(artifactRef.length <= maxRefLength && artifactRef && {artifactRef}),
		...(rule.doneWhen && {doneWhen: rule.doneWhen}),
		...(recall && {recall}),
		task: cutTask(taskOf(event, rule)),
		dedupe: rule.dedupe,
	};
};

/** The maximum of the validation. */
const maxIntentLength = 64;

const textIn = ({payload}: StoredEvent, field: string | undefined): string =>
	field === undefined ? '' : (scalarIn(payload, field)?.trim() ?? '');

const drawnFrom = (event: StoredEvent, {from, default: otherwise = ''}: Drawn): string =>
	textIn(event, from) || otherwise;

const invitedBee = (event: StoredEvent, {bee}: AutoInvite, {bees}: Colony): Bee | undefined =>
	[textIn(event, bee.from), bee.default ?? '']
		.map(role => bees.get(role))
		.find(found => found !== undefined && found.adapter !== 'script');

const taskOf = (event: StoredEvent, {task}: AutoInvite): string =>
	textIn(event, task.fallbackFrom) ||
	drawnFrom(event, task) ||
	`An event of kind ${event.payload.kind} asks for you.`;

const ending = '\n… (truncated)';

/** Cuts an invite's task to the maximum length and marks the cut. */
export const cutTask = (text: string): string =>
	text.length <= maxInviteTaskLength ? text : text.slice(0, maxInviteTaskLength - ending.length) + ending;

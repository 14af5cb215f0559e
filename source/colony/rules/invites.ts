import {kindRule} from '../../domain/event-kinds.ts';
import {hintNearest} from '../../domain/nearest.ts';
import type {AutoInvite, Colony} from '../colony.ts';
import {beeHint} from '../find-bee.ts';
import {intentsOf} from '../intents.ts';
import type {Rule, Trouble} from './rule.ts';

/** Rules about `auto_invites` in colony.yaml. */
export const inviteRules: readonly Rule[] = [
	{
		id: 'invite-bee',
		level: 'error',
		says: 'Every invite is to a bee that people can talk with.',
		check: colony => eachInvite(colony, ({bee}) => beeTrouble(colony, bee.default)),
	},
	{
		id: 'invite-kind',
		level: 'error',
		says: 'Events that make or complete an invite have their own type.',
		check: colony =>
			eachInvite(colony, ({when, doneWhen}) => typeTrouble(when) ?? typeTrouble(doneWhen?.when)),
	},
	{
		id: 'invite-intent',
		level: 'warning',
		says: 'The intent of an invite is one of its bee.',
		check: colony => eachInvite(colony, invite => intentTrouble(colony, invite)),
	},
];

type TroubleText = Omit<Trouble, 'path'>;

const eachInvite = (
	{autoInvites = []}: Colony,
	check: (invite: AutoInvite) => TroubleText | undefined,
): readonly Trouble[] =>
	autoInvites.flatMap(invite => {
		const found = check(invite);
		return found === undefined ? [] : [{path: `.hive/colony.yaml:${invite.line}`, ...found}];
	});

const beeTrouble = (colony: Colony, role: string | undefined): TroubleText | undefined => {
	if (role === undefined) return undefined;
	const bee = colony.bees.get(role);
	if (bee === undefined)
		return {message: `auto_invites: there is no bee "${role}"`, fix: beeHint(colony, role)};
	if (bee.adapter !== 'script') return undefined;
	return {
		message: `auto_invites: "${role}" is a script, which has no interactive session`,
		fix: 'Invite to a bee with another adapter.',
	};
};

const typeTrouble = (event: AutoInvite['when'] | undefined): TroubleText | undefined => {
	const known = event && kindRule(event.kind)?.type;
	if (known === undefined || known === event?.type) return undefined;
	return {
		message: `auto_invites: ${event?.kind} is a kind of ${known}, not of ${event?.type}`,
		fix: `Write type: ${known}.`,
	};
};

const intentTrouble = (colony: Colony, {bee, intent}: AutoInvite): TroubleText | undefined => {
	const invited = colony.bees.get(bee.default ?? '');
	if (invited === undefined || intent.default === undefined) return undefined;
	const known = intentsOf(colony, invited);
	if (known.includes(intent.default.trim().toLowerCase())) return undefined;
	return {
		message: `auto_invites: "${invited.role}" has no intent "${intent.default}"`,
		fix: hintNearest(intent.default, known),
	};
};

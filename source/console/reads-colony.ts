import * as z from 'zod/mini';
import {deviceIdleDays} from '../domain/device.ts';
import {accepted} from '../domain/errors.ts';
import {inviteStatuses} from '../domain/invite.ts';
import {inputFields} from '../host/actions/input-fields.ts';
import {actionIds, actionTable} from '../host/actions/table.ts';
import {readConfigurationChanges} from '../host/configuration-changes.ts';
import {cueNeedsText} from '../host/cue-needs-text.ts';
import {drawTopology} from '../host/topology.ts';
import {beeViews, configurationProblems, cueViews} from '../host/views/colony.ts';
import {formatInboxCounts} from '../host/views/inbox.ts';
import {invitesOf, openInvites} from '../host/views/invite.ts';
import {landingViews} from '../host/views/landing.ts';
import {reviewQueue} from '../host/views/review.ts';
import {formatRootGone} from '../host/views/root-gone.ts';
import {addresses} from './addresses.ts';
import {readChanges} from './changes.ts';
import {openRunsOf} from './model.ts';
import {answersTo} from './offers.ts';
import {type Read, read} from './read.ts';
import {pageSize, readEvents} from './read-events.ts';
import {runtimeOf} from './runtime.ts';

const optional = z.optional(z.string());

export const colonyReads: readonly Read[] = [
	read('/api/colony', {
		summary: 'The colony, its reactor, the caller, and counts of what waits for a person.',
		answer: async ({context, colony, model}, {caller}) => {
			const traces = [...model.traces().values()];
			const [status, facts] = [model.status(), colony.facts()];
			return accepted({
				...colony.header,
				...status,
				...facts,
				problems: status.isGone ? [formatRootGone(colony.header.root)] : facts.problems,
				cues: colony.cues().map(cue => ({...cue, needsText: cueNeedsText(context.colony, cue.id)})),
				caller,
				sequence: model.position(),
				counts: {
					inbox: model.inbox().length,
					reviews: reviewQueue(traces).length,
					invites: invitesOf(traces, 'pending').length,
					bees: openRunsOf(traces).length,
				},
			});
		},
	}),
	read('/api/runtime', {
		summary: 'The state of the reactor.',
		answer: async services => accepted(runtimeOf(services)),
	}),
	read('/api/actions', {
		summary: 'Every action, where it is asked for and what it takes.',
		answer: async () =>
			accepted({
				actions: actionIds.map(id => {
					const {
						label,
						danger = false,
						progressLabel: doing,
						summary,
						description = '',
						input,
					} = actionTable[id];
					return {
						id,
						path: addresses[id].paths[0],
						label,
						danger,
						doing,
						summary,
						description,
						fields: inputFields({input}).filter(({name}) => !addresses[id].forbiddenFields?.includes(name)),
					};
				}),
			}),
	}),
	read('/api/configuration/changes', {
		summary:
			'What was changed below .hive/ while runs or merges were under way, line by line; it counts once "seen" is accepted.',
		answer: async ({context, highlight}) => {
			const {seen, changes: items, patch} = await readConfigurationChanges(context);
			return accepted({seen, items, changes: await readChanges(patch, highlight)});
		},
	}),
	read('/api/devices', {
		summary: `The browsers that are logged in to the consoles of this machine; one unused for ${deviceIdleDays} days is not.`,
		answer: async ({devices}) => {
			const items = await devices.list();
			return accepted({items, count: items.length});
		},
	}),
	read('/api/inbox', {
		summary: 'Everything that needs a person, an entry for each cause, the most pressing kind first.',
		answer: async ({model}) => {
			const items = model.inbox();
			return accepted({items, count: items.length, words: formatInboxCounts(items)});
		},
	}),
	read('/api/review-queue', {
		summary: 'What waits for a decision, the longest waiting first.',
		answer: async ({model}) => {
			const items = reviewQueue(model.traces().values());
			return accepted({items, count: items.length});
		},
	}),
	read('/api/landing', {
		summary: 'The approved merges that wait for their checks, in the order in which they land.',
		answer: async ({model}) => accepted({landing: landingViews(model.traces().values())}),
	}),
	read('/api/invites', {
		summary: 'Invites that can be accepted, or those in a status.',
		query: z.object({status: z.optional(z.enum([...inviteStatuses, 'all']))}),
		answer: async ({model}, {query: {status}}) => {
			const traces = model.traces().values();
			const found = status === undefined ? openInvites(traces) : invitesOf(traces, status as 'all');
			const items = found.map(invite => ({...invite, offers: answersTo(invite)}));
			return accepted({items, count: items.length});
		},
	}),
	read('/api/cues', {
		summary: 'The cues of the colony.',
		answer: async ({context}) => accepted({items: cueViews(context.colony)}),
	}),
	read('/api/bees', {
		summary: 'The bees of the colony, and what is wrong with its files.',
		answer: async ({context, colony}) => {
			const talks = new Set(colony.facts().bees.flatMap(bee => (bee.talks ? [bee.name] : [])));
			return accepted({
				items: beeViews(context.colony).map(bee => ({...bee, talks: talks.has(bee.role)})),
				problems: configurationProblems(context.colony.problems, []),
			});
		},
	}),
	read('/api/colony/topology', {
		summary:
			'Which events start which bees, and what they publish; with the same mermaid text as the command.',
		answer: async ({context}) => accepted(drawTopology(context.colony, 'mermaid').document),
	}),
	read('/api/events', {
		summary: 'Events, newest first; "before" goes on where a page ended.',
		query: z.object({
			...{
				traceId: optional,
				taskId: optional,
				agentId: optional,
				bee: optional,
				type: optional,
				kind: optional,
			},
			severity: optional,
			...pageSize.shape,
		}),
		answer: async (services, {query}) => accepted(await readEvents(services, query)),
	}),
];

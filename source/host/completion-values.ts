import type {Colony} from '../colony/colony.ts';
import type {Device} from '../domain/device.ts';
import type {Outcome} from '../domain/errors.ts';
import {isTaskId} from '../domain/ids.ts';
import {firstLineOf} from '../domain/invite.ts';
import {statusWords} from '../domain/status-words.ts';
import {type Trace, titleOf} from '../domain/trace.ts';
import {openLedger} from '../ledger/ledger.ts';
import type {Host} from './host.ts';
import {invitesOf} from './views/invite.ts';
import {taskName} from './views/name.ts';
import {taskStatusLabel} from './views/task.ts';

/** Lists of a colony that shell completion can offer. */
export const liveLists = [
	'traces',
	'tasks',
	'runs',
	'invites',
	'bees',
	'cues',
	'sectors',
	'devices',
] as const;
export type LiveList = (typeof liveLists)[number];

/** A word to offer, safe in any shell, and its description. */
export type Offer = {readonly word: string; readonly means: string};

/** Maximum number of offers: a longer list does not help a person choose. */
const maxOffers = 200;

/**
 * Returns the offers for a shell, newest first. Empty if the colony cannot be read, since completion must not
 * print errors.
 */
export const completionValues = async (
	host: Pick<Host, 'open' | 'configuration'>,
	list: Exclude<LiveList, 'devices'>,
	traceId: string | undefined,
): Promise<readonly Offer[]> => {
	try {
		const offers =
			list === 'bees' || list === 'cues' || list === 'sectors'
				? colonyOffers[list]((await host.configuration()).colony)
				: traceOffers[list](await readTraces(host, traceId));
		return offers.filter(({word}) => isTaskId(word)).slice(0, maxOffers);
	} catch {
		return [];
	}
};

/** The same for the devices of a console, which alone knows them. */
export const completionDevices = async (
	list: () => Promise<Outcome<readonly Device[]>>,
): Promise<readonly Offer[]> => {
	try {
		const devices = await list();
		return devices.ok
			? devices.value.map(({device, name, agent}) => ({word: device, means: `${name} ${agent}`.trim()}))
			: [];
	} catch {
		return [];
	}
};

const colonyOffers: Readonly<Record<'bees' | 'cues' | 'sectors', (colony: Colony) => Offer[]>> = {
	bees: ({bees}) => [...bees.values()].map(({role, adapter}) => ({word: role, means: adapter})),
	cues: ({cues}) => [...cues.values()].map(({id, description}) => ({word: id, means: description})),
	sectors: ({sectors}) => [...sectors].map(([word, means]) => ({word, means})),
};

const readTraces = async (
	{open}: Pick<Host, 'open'>,
	traceId: string | undefined,
): Promise<readonly Trace[]> => {
	const {bus} = await open();
	const traces = [...(await openLedger(bus)).traces().values()];
	return traces
		.filter(trace => traceId === undefined || trace.traceId === traceId)
		.sort((one, other) => (one.traceId < other.traceId ? 1 : -1));
};

const traceOffers: Readonly<
	Record<'traces' | 'tasks' | 'runs' | 'invites', (traces: readonly Trace[]) => readonly Offer[]>
> = {
	traces: traces => traces.map(trace => ({word: trace.traceId, means: titleOf(trace)})),
	tasks: traces =>
		traces.flatMap(trace =>
			[...trace.tasks.values()].map(task => ({
				word: task.taskId,
				means: `${statusWords(taskStatusLabel(trace, task))}: ${taskName(task)}`,
			})),
		),
	invites: traces =>
		invitesOf(traces, 'all')
			.filter(({status}) => status !== 'completed' && status !== 'cancelled')
			.map(invite => ({
				word: invite.inviteId,
				means: `${invite.bee} ${invite.status}: ${firstLineOf(invite)}`,
			}))
			.reverse(),
	runs: traces =>
		traces
			.flatMap(({runs}) => [...runs.values()])
			.sort((one, other) => (one.startedAt < other.startedAt ? 1 : -1))
			.map(({agentId, bee, status}) => ({word: agentId, means: `${bee} ${status}`})),
};

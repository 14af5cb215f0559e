import type {Trouble} from '../../colony/rules/rule.ts';
import {differingMainHint, formatDifferingMain} from '../../domain/differing-main.ts';
import {foldVersionOf, formatMachine, newerHive} from '../../domain/machine-status.ts';
import {oneIdHint, sayOtherColonies} from '../../domain/other-colonies.ts';
import {foldVersion} from '../../ledger/checkpoint.ts';
import type {ServerReport} from '../../ports/event-store.ts';
import type {MachineRule} from './machine-rule.ts';
import type {MachineSurvey} from './survey.ts';

/**
 * The doctor's checks of the server that keeps the colony's log. They find nothing if the log is a file of
 * this machine.
 */
export const busRules: readonly MachineRule[] = [
	{
		id: 'bus-reached',
		level: 'error',
		says: 'The message bus can be reached, and keeps every event that it accepted.',
		check: ({machine: {store, location}}) =>
			store.state === 'away' ? [{path: location, message: store.message, fix: store.hint}] : [],
	},
	{
		id: 'bus-one-id',
		level: 'warning',
		says: 'The message bus has one colony of this name.',
		check: ({machine, colony}) => {
			const message = sayOtherColonies(colony?.id ?? '', reportOf(machine)?.otherColonies ?? []);
			return message === undefined ? [] : [{path: machine.location, message, fix: oneIdHint}];
		},
	},
	{
		id: 'bus-version',
		level: 'error',
		says: 'Every machine of the colony has the same version of hive.',
		check: ({machine}) => checkVersions(machine),
	},
	{
		id: 'bus-mains',
		level: 'advisory',
		says: 'The clones of the other machines have the same commits as this one.',
		check: ({machine: {mains}}) =>
			mains.map(main => ({
				path: formatMachine(main),
				message: formatDifferingMain(main),
				fix: differingMainHint(main),
			})),
	},
	{
		id: 'bus-clock',
		level: 'warning',
		says: 'The clocks of this machine and of the message bus agree.',
		check: ({machine}) => {
			const skew = logOf(machine)?.clockSkew ?? 0;
			if (Math.abs(skew) <= maxSkewMs) return [];
			return [
				{
					path: machine.location,
					message: `its clock is ${(Math.abs(skew) / 1000).toFixed(1)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine's`,
					fix: 'Set both clocks by network time: log times and timeouts depend on them.',
				},
			];
		},
	},
	{
		id: 'bus-durable',
		level: 'advisory',
		says: 'The message bus keeps every event through a power cut.',
		check: ({machine}) => {
			const server = reportOf(machine);
			if (server === undefined || (server.log?.replicas ?? 1) > 1) return [];
			return [
				{
					path: machine.location,
					message: `nats-server ${server.version} acknowledges events before it syncs them to disk: a power cut can lose the newest events, up to 2 minutes of them unless sync_interval is set`,
					fix: 'Set "sync_interval: always" in its jetstream block (2.10 or newer), or keep three replicas. A crash of the server alone loses nothing.',
				},
			];
		},
	},
];

/** An older hive starts nothing, since it would ignore what a newer one may have appended. */
const checkVersions = ({places, location}: MachineSurvey): Trouble[] => {
	const newer = newerHive(places, {checkout: '', foldVersion});
	if (newer !== undefined)
		return [
			{
				path: location,
				message: `hive${newer.version === undefined ? '' : ` ${newer.version}`} at ${newer.newer} has worked on this log and is newer: nothing new is started here`,
				fix: 'Update hive on this machine, and start its reactor again.',
			},
		];
	return places
		.filter(place => place.isAlive && foldVersionOf(place) < foldVersion)
		.map(place => ({
			path: formatMachine(place),
			message: `its hive${place.version === undefined ? '' : ` ${place.version}`} is older than the one here`,
			fix: `Update hive at ${formatMachine(place)}, and start its reactor again.`,
		}));
};

/** Maximum clock skew, in milliseconds. */
const maxSkewMs = 2000;

const reportOf = ({store}: MachineSurvey): ServerReport | undefined =>
	store.state === 'sound' || store.state === 'absent' ? store.server : undefined;

const logOf = (machine: MachineSurvey): ServerReport['log'] => reportOf(machine)?.log;

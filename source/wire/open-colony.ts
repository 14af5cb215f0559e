import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {createSecrets} from '../agents/secrets.ts';
import {findMissingPrograms} from '../colony/bee-programs.ts';
import {type BusSettings, busName, busSettings} from '../colony/bus-settings.ts';

import {unknownCheckout} from '../colony/configuration/read.ts';
import {openConfiguration} from '../colony/configuration/store.ts';
import {openYamlCache} from '../colony/configuration/yaml-cache.ts';

import {createPermissions} from '../colony/permissions.ts';
import {refuseConfig} from '../colony/refuse-config.ts';
import {redactingBus} from '../dispatch/redacting.ts';
import {expectAccepted, HiveError, refusalOf, refuse} from '../domain/errors.ts';
import {makePrivate} from '../drivers/file-modes.ts';
import {createKernelLock} from '../drivers/kernel-lock.ts';
import type {ReactorStatus, Surroundings} from '../host/host.ts';
import {isHandledBy} from '../host/live/is-handled-by.ts';
import {copyChanges} from '../host/log-admin/copy-changes.ts';
import {isAttendedElsewhere, readMachines} from '../host/machines/machines.ts';
import {loadTrace} from '../ledger/ledger.ts';
import type {Bus} from '../ports/bus.ts';
import {missingHint, missingInLog, namesNewest, type OwnCheckout, otherLog} from '../runs/newest-event.ts';
import {plantedSince, readAccepted, readPlantable} from '../workspaces/outside/planted.ts';
import {diagnosingGit} from '../workspaces/worktree/diagnosing-git.ts';
import {findAgentProgram} from './agent-programs.ts';
import {chooseStore} from './choose-store.ts';
import {clock, createLazyGit, failpoint, files, ids, processes} from './drivers.ts';
import {findFolder} from './find-folder.ts';
import {findRoot} from './find-root.ts';
import {findInsideRun} from './inside-run.ts';
import type {OpenColony} from './opened-colony.ts';

/**
 * Opens the colony. Throws the reason why it cannot: `not_a_repository`, `no_colony`, `invalid_config`,
 * `bus_unreachable`, `log_replaced`.
 */
export const openColony = async (around: Surroundings): Promise<OpenColony> => {
	const {cwd, env} = around;
	const root = env.HIVE_COLONY_ROOT || (await findRoot(cwd));
	const folder = await findFolder(env, root);
	const {readYaml, save: keep} = await openYamlCache(files, folder);
	makePrivate(root, folder);
	const lock = createKernelLock(join(folder, 'configuration.lock'), {staysOpen: true});
	const configuration = await openConfiguration({files, clock, lock, readYaml}, {root, folder});
	const checkout = (await files.read(join(folder, 'place')))?.trim();
	if (checkout === undefined) throw unknownCheckout(root);
	await keep();
	const own = {root, checkout};
	const chosen = expectAccepted(busSettings(env, configuration.current().machine));
	const store = chooseStore(chosen, configuration.current().colony, folder);
	const {channel} = store;
	let login = chosen;
	const expectThisLog = async (error: unknown): Promise<never> => {
		const other = refusalOf(error)?.code === 'log_replaced' && (await otherLog(files, own, busName(chosen)));
		throw other ? new HiveError('log_replaced', other) : error;
	};
	const bus = await store.open({mustExist: await namesNewest(files, own)}).catch(expectThisLog);
	const close = async () => {
		await copies.settled();
		await bus.close();
		await channel.close();
	};
	/** Returns the reactor's status. A reactor that works on another log counts as none. */
	const reactor = async (): Promise<ReactorStatus | undefined> => {
		const status = await channel.status();
		return status?.bus === bus.address ? status : undefined;
	};
	const isAttended = async () => (await reactor()) !== undefined;
	const copies = copyChanges({bus, files, clock, ...own, isAttended});
	await expectSameLog(bus, store.location, own).catch(async (error: unknown) => {
		await close();
		return expectThisLog(error);
	});
	const insideRun = await findInsideRun(env, root);
	const settings = () => configuration.current().machine.adapters;
	const secrets = createSecrets(env, () => configuration.current().machine);
	const {redact} = secrets;
	const accepted = () => readAccepted(files, folder);
	const git = diagnosingGit(createLazyGit(accepted));
	const context: OpenColony['context'] = {
		...{checkout, machineDir: folder, ids, clock, git, files, processes, failpoint, redact},
		writers: configuration,
		configuration: {...configuration, reactorProblems: async () => (await reactor())?.problems},
		// Text that people type may contain a key just as agents' output may.
		bus: redactingBus(copies.bus, redact),
		get colony() {
			return configuration.current().colony;
		},
		otherCheckout: async id => {
			const {findOtherCheckout} = await import('./other-checkout.ts');
			return findOtherCheckout(folder, context.colony.slug, id);
		},
		openConnection: async path => (await import('../drivers/private-socket/links.ts')).openLink(path),
		mergeLock: () => createKernelLock(join(folder, 'merge.lock')),
		gatewayLock: name => createKernelLock(join(folder, `${name}.lock`)),
		by: 'human',
		insideRun,
		machines: () => readMachines(bus, clock),
		reactorIsAlive: async traceId => {
			const [own, trace] = await Promise.all([
				reactor(),
				bus.isShared && traceId !== undefined ? loadTrace(bus, traceId) : undefined,
			]);
			const isHere = trace?.place === undefined || trace.place === checkout;
			if (isHere && isHandledBy(own, traceId)) return true;
			if (trace === undefined) return false;
			// This checkout's reactor was asked directly, so only the others' reports are needed.
			const others = (await readMachines(bus, clock)).filter(place => place.checkout !== checkout);
			return isAttendedElsewhere(trace, others);
		},
		endRun: async run => {
			const {endRun} = await import('./end-run.ts');
			return endRun({context, configuration, bus: copies.bus, settings, folder}, {env}, run);
		},
		landHere: async (traceId, signal) =>
			(await import('./land-here.ts')).landHere(open, around, traceId, signal),
		sendHere: async (traceId, signal) =>
			(await import('./send-here.ts')).sendHere({cwd: root, env}, traceId, signal),
		...(around.readIssue && {
			readIssue: async number => {
				const {forge: settings} = context.colony;
				if (settings === undefined) return refuse('no_forge');
				return (
					around.readIssue?.({settings, accepted: await accepted(), folder}, number) ?? refuse('no_forge')
				);
			},
		}),
		permissions: createPermissions(files, folder),
		notify: () => configuration.current().machine.notify,
		missingPrograms: () => findMissingPrograms(context.colony, settings(), findAgentProgram),
		acceptedGit: accepted,
		injectedGitConfig: async () =>
			plantedSince([...(await accepted())], await readPlantable(git, files, root)),
	};
	const open: OpenColony = {
		...{context, bus, channel, folder, settings, secrets, configuration, reactor, close},
		expectSameBus: ({machine = configuration.current().machine, url = env.HIVE_BUS_URL} = {}) =>
			expectSame(chosen, expectAccepted(busSettings({HIVE_BUS_URL: url}, machine))),
		changeLogin: async () => {
			const now = expectAccepted(busSettings(env, configuration.current().machine));
			if (now === undefined || isDeepStrictEqual(now, login)) return false;
			login = now;
			await bus.changeLogin?.(now);
			return true;
		},
		expectUsable: () => {
			const {problems} = configuration.current().machine;
			if (problems.length > 0) expectAccepted(refuseConfig(problems));
		},
	};
	return open;
};

const expectSame = (chosen: BusSettings | undefined, now: BusSettings | undefined): void => {
	// Another login for the same servers reaches the same log.
	if (isDeepStrictEqual(chosen?.servers, now?.servers) && isDeepStrictEqual(chosen?.tls, now?.tls)) return;
	if (isDeepStrictEqual(chosen?.servers, now?.servers))
		throw new HiveError('bus_unreachable', {
			message: `bus.tls in config.yaml has changed for the bus at ${busName(now)}.`,
			hint: 'Start hive again: a running process keeps its certificates.',
		});
	throw new HiveError('bus_unreachable', {
		message: `The log is at ${busName(now)} now, but this process works on the log at ${busName(chosen)}.`,
		hint: 'Start it again, since HIVE_BUS_URL or bus.url in config.yaml has changed.',
	});
};

const expectSameLog = async (bus: Bus, location: string, own: OwnCheckout): Promise<void> => {
	const missing = await missingInLog(bus, files, own);
	if (missing === undefined) return;
	throw new HiveError('log_replaced', {
		message: `The event log ${location} was deleted, truncated or replaced: ${missing}.`,
		hint: missingHint(bus),
	});
};

import {join} from 'node:path';
import {expectAccepted} from '../domain/errors.ts';
import type {Host, Surroundings} from '../host/host.ts';
import type {OpenColony} from './opened-colony.ts';

/** Creates the host of a command. Parts that the command does not use are neither opened nor loaded. */
export const openHost = (surroundings: Surroundings): Host => {
	let opening: Promise<OpenColony> | undefined;
	const opened = async (): Promise<OpenColony> => {
		opening ??= import('./open-colony.ts')
			.then(({openColony}) => openColony(surroundings))
			.then(colony => {
				surroundings.faults.opened({folder: colony.folder, secrets: colony.secrets.values});
				return colony;
			})
			.catch((error: unknown) => {
				opening = undefined;
				throw error;
			});
		return opening;
	};
	return {
		...surroundings,
		open: async () => (await opened()).context,
		queueEvent: async event => (await import('./queue-event.ts')).queueEvent(surroundings, event),
		configuration: async () => (await import('./read-configuration.ts')).readConfiguration(surroundings),
		diagnose: async (tryBot, tryForge) =>
			(await import('./examine.ts')).examine(surroundings, {tryBot, tryForge}),
		showContainment: async role => (await import('./contain.ts')).showContainment(surroundings, role),
		tryContained: async (...given) => (await import('./contain.ts')).tryContained(surroundings, ...given),
		machineFolder: async () => (await opened()).folder,
		secrets: async () => (await opened()).secrets.values(),
		init: async input => (await import('./init.ts')).init(surroundings, input),
		tryTests: async (...given) => (await import('./try-tests.ts')).tryTests(surroundings, ...given),
		torture: async (...given) => (await import('./torture.ts')).tortureHere(surroundings, ...given),
		commitColony: async signal => (await import('./commit-colony.ts')).commitColony(surroundings, signal),
		react: async options => {
			const {startReactor} = await import('./start-reactor.ts');
			return startReactor(await opened(), surroundings, options);
		},
		expectSameBus: async () => {
			const [{loadMachine}, {files}, {expectSameBus, folder}] = await Promise.all([
				import('../colony/load-machine.ts'),
				import('./drivers.ts'),
				opened(),
			]);
			// Reads the file again: the watcher may not have seen its latest change.
			expectSameBus({machine: expectAccepted(await loadMachine(files, folder))});
		},
		expectUsable: async () => (await opened()).expectUsable(),
		followConfiguration: async following => (await opened()).configuration.follow(following),
		moveBus: async (move, signal) => (await import('./move-bus.ts')).moveBus(surroundings, move, signal),
		verifyBus: async rebuild => (await import('./verify-bus.ts')).verifyBus(surroundings, rebuild),
		reactor: async () => (await opened()).reactor(),
		spawnSelf: async (args, onLine) => {
			const {spawnSelf} = await import('../drivers/spawn-self.ts');
			return spawnSelf(args, {...surroundings, ...(onLine && {onLine})});
		},
		terminal: async () => {
			const {loadTerminalSettings, terminalFile} = await import('../colony/terminal-settings.ts');
			const [{folder}, {files}] = await Promise.all([opened(), import('./drivers.ts')]);
			return expectAccepted(await loadTerminalSettings(files, join(folder, terminalFile)));
		},
		chat: async () => {
			const {loadChatSettings} = await import('../colony/chat-settings.ts');
			const [{folder}, {files}, {chatFile}] = await Promise.all([
				opened(),
				import('./drivers.ts'),
				import('../colony/load-machine.ts'),
			]);
			return expectAccepted(await loadChatSettings(files, join(folder, chatFile), surroundings.env));
		},
		runSelf: async args => {
			const {runSelf} = await import('../drivers/spawn-self.ts');
			return runSelf(args, surroundings.cwd, surroundings.env);
		},
		askSelf: async (args, signal) => {
			const {askSelf} = await import('../drivers/spawn-self.ts');
			return askSelf(args, {...surroundings, signal});
		},
		programs: async () => {
			const {createOutsidePrograms} = await import('../drivers/outside-programs.ts');
			return createOutsidePrograms(surroundings.env);
		},
		tools: async () => {
			const {git} = await import('./drivers.ts');
			return {git};
		},
		at: folder => openHost({...surroundings, cwd: folder}),
		close: async () => {
			const colony = await opening?.catch(() => undefined);
			await colony?.close();
		},
	};
};

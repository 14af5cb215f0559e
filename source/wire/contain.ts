import {refuseInsideRun} from '../actions/decide-and-append.ts';
import {agentEnvironment} from '../agents/environment.ts';
import {programOf} from '../colony/bee-programs.ts';
import type {Bee, Colony} from '../colony/colony.ts';
import {findBee} from '../colony/find-bee.ts';
import {loadMachine} from '../colony/load-machine.ts';
import {
	type ContainPorts,
	containRun,
	notContained,
	shownProfile,
} from '../dispatch/containment/contain-run.ts';
import {invocationOf} from '../dispatch/invocation.ts';
import {containModeOf} from '../domain/containment.ts';
import {accepted, expectAccepted, HiveError, type Outcome} from '../domain/errors.ts';
import {runAttached} from '../drivers/run-attached.ts';
import type {ContainmentShown, ContainmentTried} from '../host/containment.ts';
import type {Surroundings} from '../host/host.ts';
import {traceDirectory} from '../runs/layout.ts';
import {readAccepted} from '../workspaces/outside/planted.ts';
import {copyIgnored} from '../workspaces/worktree/copy-ignored.ts';
import {
	makeVerificationWorktree,
	removeVerificationWorktree,
} from '../workspaces/worktree/verification-worktree.ts';
import {binDir} from './agent-programs.ts';
import {containment, createLazyGit, failpoint, files, ids, processes} from './drivers.ts';
import {findFolder} from './find-folder.ts';
import {findRoot} from './find-root.ts';
import {readConfiguration} from './read-configuration.ts';

/** Shows the containment of a bee's runs (`hive contain show`). Makes nothing. */
export const showContainment = async (
	surroundings: Surroundings,
	role: string,
): Promise<Outcome<ContainmentShown>> => {
	const {ports, colony, bee} = await open(surroundings, role);
	const argv = bee.command ?? [programOf(bee, ports.settings())];
	return accepted({
		...{bee: role, mode: containModeOf(bee.contain)},
		can: await containment.probe(),
		profile: await shownProfile(ports, bee, [argv]),
		...{home: surroundings.env.HOME || '/', root: colony.root},
	});
};

type TryOptions = {
	readonly argv: readonly string[];
	readonly signal: AbortSignal;
	/** True to print its standard output on standard error. */
	readonly quiet: boolean;
};

/**
 * Runs a command in the containment of a bee (`hive contain try`): in a clean worktree with the files of the
 * last commit, or in the checkout for a bee that works there. What it leaves in the worktree is removed.
 */
export const tryContained = async (
	surroundings: Surroundings,
	role: string,
	{argv, signal, quiet}: TryOptions,
): Promise<Outcome<ContainmentTried>> => {
	const {ports, colony, bee, insideRun} = await open(surroundings, role);
	const refused = refuseInsideRun({insideRun});
	if (refused !== undefined) return refused;
	const can = await containment.probe();
	if (!can.can) return notContained(can);
	const {root} = colony;
	const run = {traceId: `contain-${ids.trace()}`, agentId: ids.agent()};
	try {
		const checkout = bee.worktree ? await makeWorktree(ports, colony, run.agentId) : root;
		const contained = await containRun(ports, {
			...{...run, checkout, workspace: checkout, movesBranch: false, argvs: [argv]},
			bee: {...bee, contain: {...bee.contain, mode: 'required'}},
		});
		if (!contained.ok) return contained;
		const launcher = contained.value;
		const invocation = invocationOf(ports, run, run, bee, {workspace: checkout, port: undefined, prompt: ''});
		const env = launcher.env(agentEnvironment(surroundings.env, invocation, ports));
		const exitCode = await runAttached(launcher.argv(argv), {cwd: checkout, env, signal, quiet});
		return accepted({bee: role, mode: containModeOf(bee.contain), exitCode, inCheckout: !bee.worktree});
	} finally {
		if (bee.worktree) await removeVerificationWorktree(ports.git, root, run.agentId);
		await files.remove(traceDirectory(root, run.traceId));
	}
};

const makeWorktree = async ({git}: ContainPorts, {root, workspaces}: Colony, agentId: string) => {
	const head = await git.attempt(['rev-parse', '--verify', '--quiet', 'HEAD'], {cwd: root});
	if (head.exitCode !== 0)
		throw new HiveError('wrong_status', {message: 'There is no commit to work on.', hint: 'Commit first.'});
	const commit = head.stdout.trim();
	const path = await makeVerificationWorktree({git, failpoint}, root, agentId, {commit});
	await copyIgnored(git, root, path, workspaces?.copy ?? []);
	return path;
};

const open = async (surroundings: Surroundings, role: string) => {
	const {cwd, env} = surroundings;
	const {colony, insideRun} = await readConfiguration(surroundings);
	const bee: Bee = expectAccepted(findBee(colony, role));
	const folder = await findFolder(env, env.HIVE_COLONY_ROOT || (await findRoot(cwd)));
	const machine = await loadMachine(files, folder);
	const adapters = machine.ok ? (machine.value?.adapters ?? {}) : {};
	const ports = {
		...{containment, files, processes, environment: env, machineDir: folder, binDir},
		git: createLazyGit(() => readAccepted(files, folder)),
		colony: () => colony,
		settings: () => adapters,
	};
	return {ports, colony, bee, insideRun};
};

import {existsSync} from 'node:fs';
import {mkdtemp, readFile, rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import type {SettingsByAdapter} from '../../source/agents/environment.ts';
import {secretsOf} from '../../source/agents/secrets.ts';
import {ownWorkspace} from '../../source/colony/colony.ts';
import {loadColony} from '../../source/colony/load-colony.ts';
import {createDispatcher} from '../../source/dispatch/dispatcher.ts';
import {endRun} from '../../source/dispatch/end-run.ts';
import type {GivenPorts} from '../../source/dispatch/ports.ts';
import {accepted, expectAccepted} from '../../source/domain/errors.ts';
import type {NewEvent, StoredEvent} from '../../source/domain/event.ts';
import {createIdSource} from '../../source/domain/ids.ts';
import {createRedactor} from '../../source/domain/redact.ts';
import type {RunRecord} from '../../source/domain/run.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createContainment} from '../../source/drivers/containment/containment.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createGit} from '../../source/drivers/git.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {createProcesses} from '../../source/drivers/processes/processes.ts';
import {randomHex} from '../../source/drivers/random.ts';
import {createSpool} from '../../source/drivers/spool.ts';
import {createEmitSpooled} from '../../source/host/emit/emit-spooled.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import {runDirectory} from '../../source/runs/layout.ts';
import {claimOf, item, planOf, readyOf, traceId} from '../helpers/events.ts';
import {expectNoSecrets} from '../helpers/nothing-secret.ts';
import {createRepository} from '../helpers/repository.ts';
import {builtProgram} from '../helpers/run-hive.ts';
import {timeoutMs, withTimeout} from '../helpers/with-timeout.ts';

export {traceId};

/** Path of the scripted agent tool for the adapter `alpha` or `beta`. */
export const agentTool = (name: 'alpha' | 'beta'): string =>
	join(import.meta.dirname, `../../fixtures/agents/${name}/${name}.mjs`);

export const publishesIsolated = [
	{type: 'MUTATION', kind: 'code.proposal.isolated'},
	{type: 'INSIGHT', kind: 'run.summary'},
];

/** A bee that runs a line of shell in its workspace. */
export const scripted = (script: string, more: object = {}) => ({
	adapter: 'script',
	command: ['sh', '-c', script],
	...more,
});

type Scene = {
	readonly bees: Readonly<Record<string, object>>;
	readonly settings?: object;
	readonly files?: Readonly<Record<string, string>>;
	readonly environment?: Readonly<Record<string, string>>;
	readonly machine?: SettingsByAdapter;
	/** Replaces ports of the dispatcher by faulty ones. */
	readonly faulty?: (ports: Pick<GivenPorts, 'bus' | 'files' | 'processes'>) => Partial<GivenPorts>;
};

/** A colony with a dispatcher on real git, processes and files, and an in-memory log. */
export const createRig = async ({bees, settings = {}, files: more = {}, faulty, ...machine}: Scene) => {
	const repository = await createRepository({
		'readme.md': 'A colony.\n',
		'.hive/.gitignore': 'worktrees/\nruns/\n',
		'.hive/colony.yaml': JSON.stringify({slug: 'scratch', ...settings}),
		'.hive/prompts/do.md': '{{.Task}}',
		...Object.fromEntries(
			Object.entries(bees).map(([role, bee]) => [`.hive/bees/${role}.yaml`, JSON.stringify(bee)]),
		),
		...more,
	});
	const {root} = repository;
	const [clock, files, git] = [createSystemClock(), createFiles(), createGit()];
	const processes = createProcesses({clock});
	const bus = createMemoryBus({clock});
	const ids = createIdSource(clock.now, randomHex);
	const colony = expectAccepted(await loadColony(files, root));
	expect(colony.problems).toEqual([]);
	const machineHome = await mkdtemp(join(tmpdir(), 'hive-machine-'));
	const machineDir = join(machineHome, 'scratch');
	onTestFinished(() => rm(machineHome, {recursive: true, force: true}));
	const reports: string[] = [];
	const adapters = {
		alpha: {binary: agentTool('alpha')},
		beta: {binary: agentTool('beta')},
		...machine.machine,
	};
	const environment = {PATH: process.env.PATH, HOME: root, ...machine.environment};
	const ports: GivenPorts = {
		...{bus, files, git, processes, clock, checkout: 'here'},
		spool: createSpool(),
		emitSpooled: (...given) => createEmitSpooled(context)(...given),
		failpoint: () => {},
		containment: createContainment(processes.which, [process.execPath, builtProgram('contain-proxy.cjs')]),
		portBlocks: {claim: async () => ({first: 20_000})},
		...faulty?.({bus, files, processes}),
		startFromUpstream: async () => accepted(undefined),
		colony: () => colony,
		environment,
		prices: () => new Map(),
		machineDir,
		binDir: join(root, 'bin'),
		// Runs the agent alone, without a terminal.
		holder: ['sh', '-c', 'shift; exec "$@"', 'holder'],
		treeTaker: [process.execPath, builtProgram('take-tree.cjs')],
		settings: () => adapters,
		redact: createRedactor(secretsOf(environment, {adapters})),
		report: message => reports.push(message),
	};
	const dispatcher = createDispatcher(ports);
	const say = (event: NewEvent) => bus.append(event, {id: ids.event()});
	const trace = () => loadTrace(bus, traceId);
	const runOf = async (agentId: string): Promise<[Trace, RunRecord]> => {
		const now = await trace();
		const run = now.runs.get(agentId);
		if (run === undefined) throw new Error(`no run ${agentId}`);
		return [now, run];
	};
	const directoryOf = (agentId: string) => runDirectory(root, traceId, agentId);
	/**
	 * Resolves when the named file in the run directory is not empty, or the agent has removed the directory.
	 */
	const appears = (agentId: string, name: string): Promise<void> => {
		const found = new Promise<void>((resolve, reject) => {
			const over = new AbortController();
			const see = async () => {
				if (!(await files.size(join(directoryOf(agentId), name))) && existsSync(directoryOf(agentId))) return;
				over.abort();
				resolve();
			};
			files.watch(directoryOf(agentId), over.signal, () => void see().catch(reject));
			see().catch(reject);
		});
		return withTimeout(found, () => `${name} of ${agentId}`);
	};
	const started: string[] = [];
	onTestFinished(async () => {
		for (const agentId of started) await processes.stop(directoryOf(agentId), agentId, 0);
	});
	const begin = async (bee: string, taskId = 'one'): Promise<string> => {
		const agentId = randomHex(16);
		started.push(agentId);
		if (!(await trace()).tasks.has(taskId)) await say(planOf(item(taskId)));
		await say(readyOf(taskId));
		const role = colony.bees.get(bee);
		const workspace = role === undefined ? {} : {workspace: ownWorkspace(role)};
		await say(claimOf(agentId, taskId, {bee, ...workspace}));
		const claimed = await runOf(agentId);
		await dispatcher.begin(...claimed);
		const [, run] = await runOf(agentId);
		// A supervisor that has not started up yet would write into the folder that cleanup removes.
		if (run.status === 'running') await appears(agentId, 'started');
		return agentId;
	};
	const ended = (agentId: string) => processes.ended(directoryOf(agentId), AbortSignal.timeout(timeoutMs));
	const collect = async (agentId: string) => {
		await dispatcher.collect(...(await runOf(agentId)));
		return look(agentId);
	};
	const text = (agentId: string, name: string) => readFile(join(directoryOf(agentId), name), 'utf8');
	const look = async (agentId: string) => {
		const [{tasks}, run] = await runOf(agentId);
		const json = async (name: string) => JSON.parse(await text(agentId, name));
		return {agentId, run, tasks, status: await json('status.json'), result: await json('result.json')};
	};
	const reactorIsAlive = async () => false;
	const context: ActionContext = {
		...{
			bus: expectNoSecrets(bus),
			colony,
			checkout: 'here',
			ids,
			clock,
			git,
			files,
			processes,
			reactorIsAlive,
		},
		machines: async () => [],
		failpoint: () => {},
		endRun: run => endRun({bus, processes, dispatcher, reactorIsAlive, colony: () => colony}, run),
		by: 'human',
		insideRun: undefined,
		machineDir: join(root, '.hive/cache/machine'),
		otherCheckout: async () => undefined,
		openConnection: async () => undefined,
		mergeLock: () => ({take: () => true, release: () => {}}),
	};
	return {
		repository,
		...{
			ports,
			root,
			bus,
			files,
			processes,
			dispatcher,
			context,
			reports,
			say,
			trace,
			runOf,
			begin,
			ended,
			collect,
			look,
		},
		directoryOf,
		appears,
		text,
		/** One run from claim to `run.finished`. */
		run: async (bee: string, taskId?: string) => {
			const agentId = await begin(bee, taskId);
			await ended(agentId);
			return collect(agentId);
		},
		events: async (kind?: string): Promise<StoredEvent[]> => {
			const all: StoredEvent[] = [];
			for await (const batch of bus.read({after: 0})) all.push(...batch);
			return all.filter(({payload}) => kind === undefined || payload.kind === kind);
		},
		audit: async (agentId: string): Promise<string[]> =>
			(await text(agentId, 'events.ndjson').catch(() => ''))
				.split('\n')
				.filter(Boolean)
				.map(line => JSON.parse(line).payload.kind),
		modeOf: async (path: string) => ((await stat(path)).mode & 0o777).toString(8),
	};
};

export type Rig = Awaited<ReturnType<typeof createRig>>;

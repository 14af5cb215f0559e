import {join} from 'node:path';
import type {ActionContext} from '../actions/context.ts';
import type {ShowDashboard} from '../cli/session.ts';
import {exitCodes} from '../domain/error-table.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {createRedactorOfPieces} from '../domain/redact.ts';
import {openRuns} from '../domain/trace.ts';
import type {Host} from '../host/host.ts';
import {createWorld} from '../host/live-colony.ts';
import {createOwnReactor} from '../host/own-reactor.ts';
import {openLedger} from '../ledger/ledger.ts';

/** The dashboard is read only when it is shown. */
export type LoadDashboard = () => Promise<typeof import('../dashboard/main.ts')>;

type Face = Parameters<ShowDashboard>[1] & {
	readonly loadDashboard: LoadDashboard;
	/** The first frame is on the screen already. */
	readonly isPainted: boolean;
};

/**
 * Shows the dashboard of the colony around `host.cwd` until the person leaves it. A reactor runs beside it in a process of
 * its own, so that neither slows the other down, and ends with it; runs go on. The answer is the exit code.
 */
export const openDashboard = async (host: Host, face: Face): Promise<Outcome<number>> => {
	const context = await host.open();
	const [ledger, branch, programs, dashboard] = await Promise.all([
		openLedger(context.bus),
		branchOf(context),
		host.programs(),
		face.loadDashboard(),
	]);
	let complain = (_reason: string): void => {};
	const own = createOwnReactor({
		spawn: () => host.spawnSelf(['run', '--until-stdin-ends', '--path', context.colony.root]),
		clock: context.clock,
		complain: reason => complain(context.redact?.(reason) ?? reason),
	});
	// After the first frame and what was typed at once, which another process that starts would hold up.
	const started = new Promise(setImmediate).then(own.start);
	const suspend = async (): Promise<void> => {
		await started;
		await own.stop();
	};
	const world = createWorld({
		...{context, ledger, branch, programs},
		reactor: host.reactor,
		followConfiguration: host.followConfiguration,
		ownReactor: own.pid,
		complaints: (_signal, call) => {
			complain = call;
		},
		suspend,
		resume: own.start,
		redactorOfPieces: async () => createRedactorOfPieces(await host.secrets()),
	});
	const shown = face.screenReader
		? dashboard.startLinear(world, text => process.stdout.write(text))
		: dashboard.startDashboard(world, terminalOf(host, face));
	await started;
	const ended = await shown;
	await suspend();
	if (!ended.ok) return ended;
	if (ended.value.bees === 'leave') return accepted(ended.value.exitCode);
	const problems = await stopBees(context);
	for (const problem of problems) process.stderr.write(`hive: ${problem}\n`);
	return accepted(problems.length === 0 ? ended.value.exitCode : exitCodes.failed);
};

const terminalOf = ({env}: Host, {color, isPainted, signal}: Face) => ({
	...{env, color, isPainted, signal},
	stdin: process.stdin,
	stdout: process.stdout,
});

/** The branch that the checkout is on, read as git does, without starting it. */
const branchOf = async ({files, colony}: ActionContext): Promise<string> => {
	const head = (await files.read(join(colony.root, '.git', 'HEAD'))) ?? '';
	return /^ref: refs\/heads\/(.*)$/m.exec(head)?.[1] ?? 'detached';
};

/**
 * Stops the bees of this checkout, once its reactor here starts no more of them. Another process may have the reactor by then:
 * they are stopped all the same. The answer is what was not stopped, and why.
 */
const stopBees = async (context: ActionContext): Promise<readonly string[]> => {
	const problems: string[] = [];
	const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
		try {
			await work();
		} catch (error) {
			problems.push(`${what} was not stopped: ${error instanceof Error ? error.message : error}`);
		}
	};
	await attempt('What was at work', async () => {
		const traces = [...(await openLedger(context.bus)).traces().values()];
		await Promise.all(
			traces.flatMap(trace =>
				openRuns(trace)
					.filter(({place}) => place === context.place)
					.map(run =>
						attempt(`The run ${run.agentId}`, () =>
							context.endRun({
								traceId: trace.traceId,
								agentId: run.agentId,
								reason: 'stopped when the dashboard was left',
							}),
						),
					),
			),
		);
	});
	return problems;
};

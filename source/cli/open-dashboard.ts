import {join} from 'node:path';
import type {ActionContext} from '../actions/context.ts';
import {stopRunsWithoutReactor} from '../actions/stop-runs.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {createRedactorOfPieces} from '../domain/redact.ts';
import {openRuns} from '../domain/trace.ts';
import {openLedger} from '../ledger/ledger.ts';
import type {ChildHandle} from '../ports/child.ts';
import {createWorld} from './dashboard-world.ts';
import type {Session} from './session.ts';

/**
 * Shows the dashboard of the colony around `session.cwd` until the person leaves it. A reactor runs beside it in a process of
 * its own, so that neither slows the other down, and ends with it; runs go on. The answer is the exit code.
 */
export const openDashboard = async (session: Session, screenReader = false): Promise<Outcome<number>> => {
	const context = await session.open();
	const [ledger, branch, programs, dashboard] = await Promise.all([
		openLedger(context.bus),
		branchOf(context),
		session.programs(),
		session.loadDashboard(),
	]);
	let own: ChildHandle | undefined;
	const resume = async (): Promise<void> => {
		own = await session.spawnSelf(['run', '--until-stdin-ends', '--path', context.colony.root]);
	};
	// After the first frame and what was typed at once, which another process that starts would hold up.
	const started = new Promise(setImmediate).then(resume);
	const suspend = async (): Promise<void> => {
		await started;
		await own?.end();
	};
	const world = createWorld({
		...{context, ledger, branch, programs},
		reactor: session.reactor,
		followConfiguration: session.followConfiguration,
		ownReactor: () => own?.pid,
		suspend,
		resume,
		redactorOfPieces: async () => createRedactorOfPieces(await session.secrets()),
	});
	const shown = screenReader
		? dashboard.startLinear(world, text => process.stdout.write(text))
		: dashboard.startDashboard(world, terminalOf(session));
	await started;
	const ended = await shown;
	await suspend();
	if (!ended.ok) return ended;
	if (ended.value.bees === 'stop') await stopBees(session);
	return accepted(ended.value.exitCode);
};

const terminalOf = ({env, color, isPainted, signal}: Session) => ({
	...{env, color, isPainted, signal},
	stdin: process.stdin,
	stdout: process.stdout,
});

/** The branch that the checkout is on, read as git does, without starting it. */
const branchOf = async ({files, colony}: ActionContext): Promise<string> => {
	const head = (await files.read(join(colony.root, '.git', 'HEAD'))) ?? '';
	return /^ref: refs\/heads\/(.*)$/m.exec(head)?.[1] ?? 'detached';
};

const stopBees = async (session: Session): Promise<void> => {
	const context = await session.open();
	const ledger = await openLedger(context.bus);
	for (const trace of ledger.traces().values()) {
		await stopRunsWithoutReactor(
			context,
			trace.traceId,
			openRuns(trace),
			'stopped when the dashboard was left',
		);
	}
};

import {resolve} from 'node:path';
import {exitCodes} from '../domain/error-table.ts';
import {accepted, type Outcome, type Refusal, refusalOf} from '../domain/errors.ts';
import type {Host} from '../host/host.ts';
import {openLiveColony} from '../host/live/live-colony.ts';
import {createOwnProcess} from '../host/own-process.ts';
import {stopBees} from '../host/sessions/stop-bees.ts';
import {startLinear} from './linear.ts';
import {serveBeside} from './serve-beside.ts';
import {startDashboard} from './start.ts';
import type {ColorMode} from './terminal/look.ts';
import type {World} from './world.ts';

type Look = {
	readonly color: ColorMode;
	/** The theme. Defaults to HIVE_THEME, else dark. */
	readonly theme?: string;
	/** True if the first frame is on the screen already. */
	readonly isPainted: boolean;
	/** True for sentences instead of a drawing. */
	readonly screenReader: boolean;
	/** True if the console is served beside it. */
	readonly console?: boolean;
	/** All commands of the command line. */
	readonly commands: World['commands'];
	/** Aborted by a signal that ends the process. */
	readonly signal: AbortSignal;
};

/** Shows a world. Tests replace it. */
const show = (world: World, {env}: Host, {screenReader, ...look}: Look) =>
	screenReader
		? startLinear(world, text => process.stdout.write(text), look.signal)
		: startDashboard(world, {...look, env, stdin: process.stdin, stdout: process.stdout});

/**
 * Shows the dashboard of the colony around `host.cwd` until the person leaves it. The reactor is a separate
 * process, so that neither slows down the other. It ends with the dashboard; runs go on. Resolves with the
 * exit code.
 */
export const openDashboard = async (host: Host, look: Look, shown = show): Promise<Outcome<number>> => {
	const context = await host.open();
	const over = new AbortController();
	let refusal: Refusal | undefined;
	/**
	 * The reactor ended. If the configuration names another bus by now, the dashboard shows the wrong log and
	 * has to end.
	 */
	const leaveForBus = (error: unknown): void => {
		const found = refusalOf(error);
		if (found?.code !== 'bus_unreachable') return;
		refusal = found;
		over.abort();
	};
	let complain = (_reason: string): void => {};
	const own = createOwnProcess({
		name: 'reactor',
		spawn: () => host.spawnSelf(['run', '--until-stdin-ends', '--path', context.colony.root]),
		clock: context.clock,
		report: reason => {
			complain(context.redact?.(reason) ?? reason);
			void host.expectSameBus().catch(leaveForBus);
		},
	});
	const served = serveBeside(host, context, reason => complain(reason));
	let isAnother = false;
	const logTaken = (): void => {
		isAnother = true;
		over.abort();
	};
	const [colony, programs] = await Promise.all([
		openLiveColony(host, {ownReactor: own, logTaken}),
		host.programs(),
	]);
	// Starts after the first frame and early keys, which another starting process would delay.
	const started = own.start(new Promise(setImmediate));
	if (look.console) void started.then(served.start);
	const suspend = async (): Promise<void> => {
		await started;
		await own.stop();
	};
	const left = shown(
		{
			...colony,
			faults: host.faults,
			complaints: (_signal, call) => {
				complain = call;
			},
			...{consoleAt: served.at, consoleOpened: served.opened},
			...{suspend, resume: () => own.start(), commands: look.commands},
			runCommand: (words, signal) => host.askSelf([...words, '--path', context.colony.root], signal),
			attach: async sessionId => {
				const args = ['session', 'attach', sessionId, '--path', context.colony.root];
				const {exitCode, stderr} = await host.runSelf(args);
				return exitCode === 0 ? '' : stderr.trim();
			},
			...{copy: programs.copy, launch: programs.launch, openPager: programs.page, edit: programs.edit},
			editFile: file => programs.editFile(resolve(context.colony.root, file)),
		},
		host,
		{...look, signal: AbortSignal.any([look.signal, over.signal])},
	);
	await started;
	const ended = await left;
	await Promise.all([suspend(), served.stop()]);
	if (!ended.ok) return ended;
	if (refusal !== undefined) return {ok: false, refusal};
	if (isAnother) return openAnew(host.at(context.colony.root), look, shown);
	if (ended.value.bees === 'leave') return accepted(ended.value.exitCode);
	const problems = await stopBees(context, 'stopped when the dashboard was left');
	for (const problem of problems) process.stderr.write(`hive: ${problem}\n`);
	return accepted(problems.length === 0 ? ended.value.exitCode : exitCodes.failed);
};

/** Opens the dashboard again without any state of the other log. */
const openAnew = async (host: Host, look: Look, shown: typeof show): Promise<Outcome<number>> => {
	try {
		return await openDashboard(host, {...look, isPainted: false}, shown);
	} finally {
		await host.close();
	}
};

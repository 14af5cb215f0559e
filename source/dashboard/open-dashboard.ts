import {resolve} from 'node:path';
import {exitCodes} from '../domain/error-table.ts';
import {accepted, type Outcome, type Refusal, refusalOf} from '../domain/errors.ts';
import type {Host} from '../host/host.ts';
import {openLiveColony} from '../host/live/live-colony.ts';
import {createOwnProcess} from '../host/own-process.ts';
import {stopBees} from '../host/sessions/stop-bees.ts';
import {startScreenReader} from './screen-reader.ts';
import {spawnConsole} from './spawn-console.ts';
import {startDashboard} from './start.ts';
import type {ColorMode} from './terminal/theme-settings.ts';
import type {DashboardServices} from './world.ts';

type DashboardOptions = {
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
	readonly commands: DashboardServices['commands'];
	/** Aborted by a signal that ends the process. */
	readonly signal: AbortSignal;
};

/** Shows a world. Tests replace it. */
const showDashboard = (
	services: DashboardServices,
	{env}: Host,
	{screenReader, ...options}: DashboardOptions,
) =>
	screenReader
		? startScreenReader(services, text => process.stdout.write(text), options.signal)
		: startDashboard(services, {...options, env, stdin: process.stdin, stdout: process.stdout});

/**
 * Shows the dashboard of the colony around `host.cwd` until the person leaves it. The reactor is a separate
 * process, so that neither slows down the other. It ends with the dashboard; runs go on. Resolves with the
 * exit code.
 */
export const openDashboard = async (
	host: Host,
	options: DashboardOptions,
	show = showDashboard,
): Promise<Outcome<number>> => {
	const context = await host.open();
	const endController = new AbortController();
	let refusal: Refusal | undefined;
	/**
	 * The reactor ended. If the configuration names another bus by now, the dashboard shows the wrong log and
	 * has to end.
	 */
	const endForOtherBus = (error: unknown): void => {
		const found = refusalOf(error);
		if (found?.code !== 'bus_unreachable') return;
		refusal = found;
		endController.abort();
	};
	let reportProblem = (_reason: string): void => {};
	const reactorProcess = createOwnProcess({
		name: 'reactor',
		spawn: () => host.spawnSelf(['run', '--until-stdin-ends', '--path', context.colony.root]),
		clock: context.clock,
		report: reason => {
			reportProblem(context.redact?.(reason) ?? reason);
			void host.expectSameBus().catch(endForOtherBus);
		},
	});
	const consoleProcess = spawnConsole(host, context, reason => reportProblem(reason));
	let isOtherLog = false;
	const logTaken = (): void => {
		isOtherLog = true;
		endController.abort();
	};
	const [colony, programs] = await Promise.all([
		openLiveColony(host, {ownReactor: reactorProcess, logTaken}),
		host.programs(),
	]);
	// Starts after the first frame and early keys, which another starting process would delay.
	const started = reactorProcess.start(new Promise(setImmediate));
	if (options.console) void started.then(consoleProcess.start);
	const stopReactor = async (): Promise<void> => {
		await started;
		await reactorProcess.stop();
	};
	const dashboardEnd = show(
		{
			...colony,
			faults: host.faults,
			onProblem: (_signal, call) => {
				reportProblem = call;
			},
			...{consoleAt: consoleProcess.address, consoleOpened: consoleProcess.onOpened},
			...{beforeSuspend: stopReactor, afterResume: () => reactorProcess.start(), commands: options.commands},
			runCommand: (words, signal) => host.askSelf([...words, '--path', context.colony.root], signal),
			attach: async sessionId => {
				const args = ['session', 'attach', sessionId, '--path', context.colony.root];
				const {exitCode, stderr} = await host.runSelf(args);
				return exitCode === 0 ? '' : stderr.trim();
			},
			...{copy: programs.copy, launch: programs.launch, openPager: programs.page, edit: programs.edit},
			openShell: programs.shell,
			editFile: file => programs.editFile(resolve(context.colony.root, file)),
		},
		host,
		{...options, signal: AbortSignal.any([options.signal, endController.signal])},
	);
	await started;
	const outcome = await dashboardEnd;
	await Promise.all([stopReactor(), consoleProcess.stop()]);
	if (!outcome.ok) return outcome;
	if (refusal !== undefined) return {ok: false, refusal};
	if (isOtherLog) return reopen(host.at(context.colony.root), options, show);
	if (outcome.value.bees === 'leave') return accepted(outcome.value.exitCode);
	const problems = await stopBees(context, 'stopped when the dashboard was left');
	for (const problem of problems) process.stderr.write(`hive: ${problem}\n`);
	return accepted(problems.length === 0 ? outcome.value.exitCode : exitCodes.failed);
};

/** Opens the dashboard again without any state of the other log. */
const reopen = async (
	host: Host,
	options: DashboardOptions,
	show: typeof showDashboard,
): Promise<Outcome<number>> => {
	try {
		return await openDashboard(host, {...options, isPainted: false}, show);
	} finally {
		await host.close();
	}
};

import {basename} from 'node:path';
import type {Processes} from '../../ports/processes.ts';
import {endingLogOut, type LoginFacts, loginFacts} from './log-out.ts';

type Environment = Readonly<Record<string, string | undefined>>;

type ScopeOptions = {
	readonly which: Processes['which'];
	readonly environment: Environment;
	readonly runDir: string;
	readonly login?: LoginFacts;
};

/** A program in a scope of its own. */
type Scoped = {readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>>};

/**
 * Returns the command that runs a program in a scope of its own, through the person's service manager. The
 * scope survives the end of their login session. Undefined if that session ends no process, or if there is no
 * systemd-run. The program replaces systemd-run, and keeps its pid and its streams.
 */
export const scopeOf = async (
	argv: readonly string[],
	{which, environment, runDir, login = loginFacts(environment)}: ScopeOptions,
): Promise<Scoped | undefined> => {
	if ((await endingLogOut(login)) !== 'own') return undefined;
	const program = await which('systemd-run');
	if (program === undefined) return undefined;
	const flags = ['--user', '--scope', '--quiet', '--collect', `--unit=hive-session-${basename(runDir)}`];
	return {argv: [program, ...flags, '--', ...argv], env: wayToManager(environment)};
};

/** Returns the variables by which systemd-run finds the manager. */
const wayToManager = ({XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS}: Environment): Record<string, string> => ({
	XDG_RUNTIME_DIR: XDG_RUNTIME_DIR || `/run/user/${process.getuid?.()}`,
	...(DBUS_SESSION_BUS_ADDRESS && {DBUS_SESSION_BUS_ADDRESS}),
});

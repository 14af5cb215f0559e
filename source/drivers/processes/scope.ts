import {basename} from 'node:path';
import type {Processes} from '../../ports/processes.ts';
import {endingLogOut, type LoginFacts, loginFacts} from './log-out.ts';

type Environment = Readonly<Record<string, string | undefined>>;

type Around = {
	readonly which: Processes['which'];
	readonly environment: Environment;
	readonly runDir: string;
	readonly login?: LoginFacts;
};

/** A program in a scope of its own. */
type Scoped = {readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>>};

/**
 * Has the person's service manager run a program in a scope of its own, which the end of their login session
 * leaves alone. Nothing where that session ends no process, or there is no systemd-run. The program takes the
 * place of systemd-run: its pid and its streams.
 */
export const scopeOf = async (
	argv: readonly string[],
	{which, environment, runDir, login = loginFacts(environment)}: Around,
): Promise<Scoped | undefined> => {
	if ((await endingLogOut(login)) !== 'own') return undefined;
	const program = await which('systemd-run');
	if (program === undefined) return undefined;
	const flags = ['--user', '--scope', '--quiet', '--collect', `--unit=hive-session-${basename(runDir)}`];
	return {argv: [program, ...flags, '--', ...argv], env: wayToManager(environment)};
};

/** What systemd-run finds the manager by. */
const wayToManager = ({XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS}: Environment): Record<string, string> => ({
	XDG_RUNTIME_DIR: XDG_RUNTIME_DIR || `/run/user/${process.getuid?.()}`,
	...(DBUS_SESSION_BUS_ADDRESS && {DBUS_SESSION_BUS_ADDRESS}),
});

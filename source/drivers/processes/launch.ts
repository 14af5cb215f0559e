import {type ChildProcess, spawn} from 'node:child_process';
import {HiveError} from '../../domain/errors.ts';
import type {Launch} from '../../ports/processes.ts';
import {adopterCommand} from './adopter.ts';
import {supervisorScript} from './supervisor.ts';

/** Starts a run's supervisor on its own: no pipe, no group and no wait ties it to this process. */
export const launchSupervisor = async (launch: Launch, at: string): Promise<ChildProcess> => {
	const [program = ''] = launch.argv;
	const [command = '', ...args] = [...(await adopterCommand()), ...supervisorCommand(launch, at)];
	try {
		return await spawned(
			spawn(command, args, {
				cwd: launch.workspace,
				env: supervisorEnvironment(launch.env),
				detached: true,
				stdio: 'ignore',
			}),
		);
	} catch (error) {
		throw new HiveError('internal', {
			message: `${program} could not be started: ${reason(error, launch)}`,
			cause: error,
		});
	}
};

const supervisorCommand = ({runDir, recordTrees, argv}: Launch, at: string): [string, ...string[]] => [
	'/bin/sh',
	'-c',
	supervisorScript,
	'hive-supervisor',
	runDir,
	recordTrees ? '1' : '0',
	at,
	'--',
	...argv,
];

/** The agent id marks the agent's tree for stopping, so the supervisor itself must not carry it (see its `run_agent`). */
const supervisorEnvironment = ({HIVE_AGENT_ID, ...env}: Launch['env']): Record<string, string> => ({
	...env,
	HIVE_SUPERVISED: HIVE_AGENT_ID ?? '',
});

/** Node throws some spawn failures and emits the others. */
const spawned = (child: ChildProcess): Promise<ChildProcess> =>
	new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('spawn', () => {
			child.unref();
			resolve(child);
		});
	});

const reason = (error: unknown, {argv, env, workspace}: Launch): string => {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'E2BIG') return `its arguments and environment are too large (${sizeOf(argv, env)}).`;
	if (code === 'EAGAIN') return 'the system allows no more processes for this user.';
	if (code === 'ENOENT') return `the workspace ${workspace} or /bin/sh is not there.`;
	return error instanceof Error ? error.message : String(error);
};

const sizeOf = (argv: Launch['argv'], env: Launch['env']): string => {
	const sizes = [...argv, ...Object.entries(env).map(pair => pair.join('='))].map(text =>
		Buffer.byteLength(text),
	);
	const total = sizes.reduce((sum, size) => sum + size, 0);
	return `${total} bytes, the largest one ${Math.max(...sizes)}; 131072 is the limit for one`;
};

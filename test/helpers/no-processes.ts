import childProcess from 'node:child_process';
import {syncBuiltinESMExports} from 'node:module';

// Runs before the tests of the project `memory`. A test that starts a process belongs to the project
// `processes`.

const refuse = (): never => {
	throw new Error('This test starts a process: name its file in `startsProcesses` of vitest.config.ts.');
};
const starts = {exec: refuse, execFile: refuse, execFileSync: refuse, execSync: refuse, fork: refuse};
Object.assign(childProcess, {...starts, spawn: refuse, spawnSync: refuse});
syncBuiltinESMExports();

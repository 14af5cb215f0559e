import {spawnSync} from 'node:child_process';
import {conclude, emit, work} from './say.mjs';

await work('Running the tests of the program on the proposal: node --test');
const {status, stdout, stderr} = spawnSync(process.execPath, ['--test'], {encoding: 'utf8'});
console.log(stdout.trim());
const taskId = process.env.HIVE_TASK_ID;
if (status === 0) {
	emit('VERIFICATION', {kind: 'verification.success', taskId, summary: 'All tests pass'});
	emit('VERIFICATION', {kind: 'task.completed', taskId, status: 'completed', summary: 'All tests pass'});
	conclude('All tests pass');
} else {
	const failed = stdout.match(/^not ok \d+ - (.*)$|✖ (.*?) \(/m);
	const name = failed?.[1] ?? failed?.[2] ?? stderr.trim().split('\n').at(-1);
	emit('VERIFICATION', {kind: 'verification.failed', taskId, summary: `A test fails: ${name}`});
	conclude(`A test fails: ${name}`);
}

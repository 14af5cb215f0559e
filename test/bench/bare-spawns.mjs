import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';

/**
 * Spawns without hive, from a node as small as there can be: a fork costs by the size of its parent. Each
 * line of input is `{count, width, steps, cwd, env}`: so many times, so many at once, the commands one after
 * the other. Each line of output is `{startedAt, milliseconds}`, the first on the machine's monotonic clock.
 */
const now = () => Number(process.hrtime.bigint()) / 1e6;

for await (const line of createInterface(process.stdin)) {
	const {count, width, steps, ...options} = JSON.parse(line);
	const startedAt = now();
	let left = count;
	const spawnAll = async () => {
		while (left-- > 0)
			for (const [program, ...args] of steps)
				await once(spawn(program, args, {...options, stdio: 'ignore'}), 'exit');
	};
	await Promise.all(Array.from({length: width}, spawnAll));
	console.log(JSON.stringify({startedAt, milliseconds: now() - startedAt}));
}

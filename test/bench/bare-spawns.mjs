import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';

/**
 * Spawns processes without hive, from a small node process, because a fork costs by the size of its parent.
 * Each input line is `{count, width, steps, cwd, env}`: `count` spawns, `width` at once, with the commands
 * one after the other. Each output line is `{startedAt, milliseconds}`, with `startedAt` on the machine's
 * monotonic clock.
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

import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {setTimeout as pause} from 'node:timers/promises';

/** Publishes one event through hive, as any agent would. Trace and agent are known from the environment. */
export const emit = (type, payload) => {
	const {status, stdout} = spawnSync('hive', ['event', 'emit', '--stdin'], {
		input: JSON.stringify({type, payload}),
		encoding: 'utf8',
	});
	if (status === 0) return;
	console.error(stdout);
	process.exit(1);
};

/** One line of what the agent does, at the pace of somebody who reads along. */
export const work = async line => {
	console.log(line);
	await pause(Number(process.env.HIVE_DEMO_PACE ?? 700));
};

/** What the run did, in one line: hive keeps it as the run's summary. */
export const conclude = line => {
	console.log(line);
	writeFileSync(process.env.HIVE_RESULT_FILE, line);
};

import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {buildCommit, commitBeforeFold} from './build-commit.ts';
import {createBoth, stories} from './stories.ts';

/**
 * Plays an upgrade and its reverse on one colony, with the command of an earlier commit and today's:
 * `npm run prove-upgrade -- --from <commit>`. It prints a table, and exits with 1 if anything was lost, or
 * failed without saying which hive to update. By default the earlier commit is the last with another fold.
 */
const {values} = parseArgs({
	options: {from: {type: 'string'}, command: {type: 'string', default: 'dist/hive.cjs'}},
});
const from = values.from ?? commitBeforeFold();
const folder = mkdtempSync(join(tmpdir(), 'hive-upgrade-'));
const table: Record<string, Record<string, string>> = {};
const faults: string[] = [];
try {
	const older = buildCommit(from, folder);
	const newer = resolve(values.command);
	console.log(
		`Earlier: ${execFileSync('git', ['log', '-1', '--format=%h %s', from], {encoding: 'utf8'}).trim()}`,
	);
	for (const [order, first, second] of [
		['earlier, then today', older, newer],
		['today, then earlier', newer, older],
	] as const) {
		const both = await createBoth(first, second);
		const cells: Record<string, string> = {};
		for (const [name, play] of Object.entries(stories)) {
			const found = await play(both).catch((error: unknown) => [String(error)]);
			cells[name] = found.length === 0 ? 'holds' : 'FAULT';
			faults.push(...found.map(fault => `${order}, ${name}: ${fault}`));
		}
		const verified = await Promise.all([both.first, both.second].map(each => each.hive(['bus', 'verify'])));
		cells['bus verify'] = verified.every(({exitCode}) => exitCode === 0) ? 'holds' : 'FAULT';
		if (cells['bus verify'] === 'FAULT')
			faults.push(`${order}: ${verified.map(({stdout}) => stdout).join()}`);
		table[order] = cells;
		await both.first.end();
		await both.first.remove();
	}
	console.table(table);
	for (const fault of faults) console.log(`FAULT: ${fault}`);
	if (faults.length > 0) process.exitCode = 1;
} finally {
	rmSync(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
}

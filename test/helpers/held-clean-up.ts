import {spawn} from 'node:child_process';
import {chmod, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';

/**
 * Stands in for `git prune`: it walks what is reachable, says so, waits for a line, and only then deletes.
 * All else is git's own.
 */
const program = `#!/bin/sh
unset GIT_EXEC_PATH
PATH=$HELD_PATH
[ "$1" = prune ] || exec git "$@"
folder=$(mktemp -d)
git rev-list --objects --all --reflog --indexed-objects | cut -d' ' -f1 >"$folder/reachable"
echo walked
read -r line
cd "$(git rev-parse --git-common-dir)/objects"
for file in [0-9a-f][0-9a-f]/*; do
	[ -e "$file" ] || continue
	grep -q "$(echo "$file" | tr -d /)" "$folder/reachable" || rm -f "$file"
done
rm -r "$folder"
`;

/**
 * Starts a `git gc --prune=now` and returns when it has looked at the refs and deleted nothing yet.
 * `finish` lets it delete, and waits for its end.
 */
export const holdCleanUp = async (root: string): Promise<{readonly finish: () => Promise<void>}> => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-clean-up-'));
	onTestFinished(() => rm(folder, {recursive: true, force: true}));
	await writeFile(join(folder, 'git'), program);
	await chmod(join(folder, 'git'), 0o755);
	const child = spawn('git', ['gc', '--quiet', '--prune=now'], {
		cwd: root,
		env: {...process.env, GIT_EXEC_PATH: folder, HELD_PATH: process.env.PATH},
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const ended = new Promise<number | null>(resolve => child.on('close', resolve));
	onTestFinished(() => void child.kill());
	await new Promise<void>((resolve, reject) => {
		child.stdout.on('data', (data: Buffer) => data.includes('walked') && resolve());
		void ended.then(code => reject(new Error(`git gc ended with ${code}`)));
	});
	const finish = async () => {
		child.stdin.end('go on\n');
		const code = await ended;
		if (code !== 0) throw new Error(`git gc ended with ${code}`);
	};
	return {finish};
};

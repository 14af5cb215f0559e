import {chmod} from 'node:fs/promises';
import {join} from 'node:path';
import type {LandingStrategy} from '../../source/domain/landing.ts';
import type {Random} from '../simulator/random.ts';
import {createScratchColony, type ScratchColony, untilIdle} from './scratch-colony.ts';

export const traceId = 't1';

const names = ['a.txt', 'b.txt', 'c.txt', 'dir/d.txt', 'dir/e.txt', 'f.txt'];
const linesEach = 30;
/**
 * The trace changes the first lines of a file, and people change the last lines. Changes to the same line
 * conflict.
 */
const theirs = 10;

/** Creates a trace that waits at its gate, in a repository full of unsaved work. */
export const createMergeScene = async (
	command: string,
	random: Random,
	strategy: LandingStrategy,
): Promise<ScratchColony> => {
	const colony = await createScratchColony({
		command,
		bees: {
			builder: {
				worktree: true,
				publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
				script: traceChanges(random),
			},
		},
		settings: {defaults: {default_bee: 'builder'}, land: {strategy}},
		files: {
			'.gitignore': '*.env\n',
			...Object.fromEntries(names.map(name => [name, contentOf(name)])),
		},
	});
	const tasks = [{taskId: 'work', title: 'Do the work'}];
	await colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], JSON.stringify({tasks}));
	const {exitCode, stderr} = await colony.hive(untilIdle);
	if (exitCode !== 8) throw new Error(`The trace does not reach its gate: ${exitCode} ${stderr}`);
	await makeBranches(colony, random);
	await makeStashes(colony, random);
	await makeDirt(colony, random);
	return colony;
};

const contentOf = (name: string): string =>
	Array.from({length: linesEach}, (_, index) => `${name} line ${index}\n`).join('');

/** Returns a script with the changes of the agent. */
const traceChanges = (random: Random): string => {
	const edits = names
		.filter(() => random.chance(0.5))
		.map(name => `sed -i 's|^${name} line ${random.below(theirs)}$|theirs|' ${name}`);
	return [
		...edits,
		...(random.chance(0.5) ? ['git commit -qam "Some files" || true'] : []),
		'echo theirs >new.txt',
		...(random.chance(0.3) ? ['git rm -q f.txt'] : []),
		...(random.chance(0.3) ? ['chmod +x a.txt'] : []),
		...(random.chance(0.2) ? ['echo theirs >forced.env; git add -f forced.env; git commit -qm forced'] : []),
		...(random.chance(0.3) ? ['mkdir -p deep/er; echo theirs >deep/er/file.txt'] : []),
		'echo Done',
	].join('\n');
};

const makeBranches = async (colony: ScratchColony, random: Random): Promise<void> => {
	for (let index = 0; index < random.below(3); index++)
		await colony.git(['branch', `other-${index}`, random.chance(0.5) ? 'main' : 'main~1']);
	// A person continues on the base branch meanwhile.
	if (!random.chance(0.4)) return;
	await colony.write('elsewhere.txt', 'mine\n');
	await colony.git(['add', 'elsewhere.txt']);
	await colony.git(['commit', '--quiet', '--message', 'elsewhere']);
};

const makeStashes = async (colony: ScratchColony, random: Random): Promise<void> => {
	for (let index = 0; index < random.below(3); index++) {
		await colony.write(random.pickAny(names) ?? '', `stashed ${index}\n`);
		await colony.git(['stash', 'push', '--quiet', '--message', `stash ${index}`]);
	}
};

const makeDirt = async (colony: ScratchColony, random: Random): Promise<void> => {
	for (const name of names) {
		if (!random.chance(0.45)) continue;
		const line = random.chance(0.08) ? random.below(theirs) : random.between(theirs + 5, linesEach - 8);
		const edited = contentOf(name).replace(`${name} line ${line}\n`, `mine ${line}\n`);
		await colony.write(name, edited);
		if (random.chance(0.5)) await colony.git(['add', name]);
		if (random.chance(0.3)) await colony.write(name, `${edited}mine at the end\n`);
		if (random.chance(0.1)) await chmod(join(colony.root, name), 0o755);
	}
	const more = ['untracked.txt', 'deep/untracked.txt', 'my.env', 'staged-new.txt'];
	if (random.chance(0.1)) more.push('new.txt');
	if (random.chance(0.15)) more.push('forced.env');
	for (const name of more) if (random.chance(0.7)) await colony.write(name, `mine ${name}\n`);
	await colony.git(['add', 'staged-new.txt']).catch(() => '');
};

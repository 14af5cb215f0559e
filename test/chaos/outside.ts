import {execFile} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, readFileSync} from 'node:fs';
import {cp, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import {promisify} from 'node:util';
import {isSevere, type OutsideFact} from '../../source/domain/outside.ts';
import {createRandom, type Random} from '../simulator/random.ts';
import {createScratchColony, type ScratchColony, untilIdle} from './scratch-colony.ts';
import {type Shown, showScene} from './tally.ts';

/** The actions of an agent in the checkout, although it has its own worktree. */
const strayActs = [
	'git switch -q -f side',
	'git switch -q -c "new-$RANDOM_NAME"',
	'git switch -q --detach',
	'echo "of the agent" >>a.txt',
	'echo "of the agent" >"new-$RANDOM_NAME.txt"',
	'git commit -qam "of the agent"',
	'git reset -q --soft HEAD~1',
	'git reset -q --hard HEAD~1',
	'git commit -q --amend -m "another message"',
	'git checkout -q -f .',
	'git stash pop -q',
	'git stash drop -q stash@{1}',
	'git stash clear',
	'git stash -q',
	'git branch -q -f side HEAD~1',
	'git branch -q -D lone',
	'git update-ref refs/heads/lone main',
	'git tag -f v1 HEAD~1',
	'git tag -d v1 v2',
	'git config alias.x "!touch planted"',
	'git config --unset user.email',
	'git config core.hooksPath "$PWD/planted"',
	`printf '#!/bin/sh\\n' >.git/hooks/pre-push`,
	'rm -f .git/hooks/post-commit',
	'echo "# of the agent" >>.hive/bees/other.yaml',
	'rm -f .hive/prompts/builder.md',
	'echo "verify: disabled" >>.hive/colony.yaml',
	'git pack-refs --all',
	'git gc -q',
];

/** The actions of a person in the checkout meanwhile. */
const personActs = [
	'echo "of the person" >>a.txt',
	'echo "of the person" >"mine-$RANDOM_NAME.txt"',
	'git add a.txt',
	'git commit -qam "of the person"',
	'git stash -q',
	'git branch -q "topic-$RANDOM_NAME"',
	'git status',
	'git log --all',
	'git config branch.main.remote origin',
	'"$NODE" "$HIVE_COMMAND" proposal approve --trace ready --task _review',
];

const wildBee = {
	worktree: true,
	publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
	script: `
echo work >"$HIVE_TASK_ID.txt"
[ "$HIVE_TRACE_ID" = wild ] || exit 0
# No tool acts as early as a shell does: hive may still read what is not committed in the root.
sleep 0.3
cd "$HIVE_COLONY_ROOT"
sh "$HOME/first.sh"
echo half >>"$HOME/half"; read -r _ <"$HOME/go"
sh "$HOME/second.sh"
exit 0`,
};

/** Starts the same run in one colony again and again, with other actions each time. */
export const playOutside = async (command: string, seed: number, runs: number): Promise<Shown> => {
	const random = createRandom(seed);
	const colony = await createScratchColony({
		command,
		bees: {wild: wildBee, other: {script: ':'}},
		files: {'a.txt': 'one\n', 'b.txt': 'one\n', '.hive/prompts/builder.md': '{{.Task}}\n'},
		bus: 'embedded',
	});
	return showScene(colony, seed, async () => {
		await prepare(colony);
		for (const part of [colony.root, colony.home]) await copy(part, `${part}.kept`);
		const figures = {runs: 0, 'red facts': 0, missed: 0, invented: 0, 'lost objects': 0};
		const breaches: string[] = [];
		for (let count = 0; count < runs && breaches.length === 0; count++) {
			if (count > 0) await restore(colony);
			const played = await playRun(colony, random, command);
			figures.runs++;
			figures['red facts'] += played.told.length;
			const missed = played.expected.filter(fact => !played.told.includes(fact));
			const invented = played.told.filter(fact => !played.expected.includes(fact));
			figures.missed += missed.length;
			figures.invented += invented.length;
			figures['lost objects'] += played.lost.length;
			const wrong = [
				...missed.map(fact => `missed: ${fact}`),
				...invented.map(fact => `invented: ${fact}`),
				...played.lost.map(object => `lost: ${object}`),
			];
			breaches.push(...wrong.map(words => `${words}; acts: ${played.acts.join(' | ')}`));
		}
		return {figures, breaches};
	});
};

const prepare = async ({root, git, hive, ask, write}: ScratchColony): Promise<void> => {
	await write('.git/hooks/post-commit', '#!/bin/sh\n');
	await git(['branch', 'side']);
	await git(['tag', '-a', 'v2', '-m', 'v2']);
	for (const content of ['second', 'third']) {
		await write('b.txt', `${content}\n`);
		await git(['commit', '--quiet', '--all', '--message', content]);
	}
	await git(['tag', 'v1']);
	await git(['branch', 'lone', await git(['commit-tree', '-p', 'HEAD', '-m', 'alone', 'HEAD^{tree}'])]);
	await ask(['task', 'create', '--trace', 'ready', '--task', 'work', '--bee', 'wild', '--body', 'x']);
	await hive(untilIdle);
	for (const content of ['stashed', 'stashed again']) {
		await write('b.txt', `${content}\n`);
		await git(['stash', '--quiet']);
	}
	await writeFile(join(root, 'a.txt'), 'one\nunsaved\n');
};

const playRun = async (colony: ScratchColony, random: Random, command: string) => {
	const choose = (acts: readonly string[], most: number) =>
		Array.from({length: random.between(0, most)}, () => {
			const act = random.pickAny(acts) ?? ':';
			return act.replaceAll('$RANDOM_NAME', random.hex(4));
		});
	const [first, person, second] = [choose(strayActs, 4), choose(personActs, 3), choose(strayActs, 2)];
	for (const [name, acts] of [
		['first', first],
		['second', second],
	] as const)
		await writeFile(join(colony.home, `${name}.sh`), `${acts.join('\n')}\n`);
	await promisify(execFile)('mkfifo', [join(colony.home, 'go')]);
	await colony.ask(['task', 'create', '--trace', 'wild', '--task', 'work', '--bee', 'wild', '--body', 'x']);
	const before = await stateOf(colony);
	const reactor = colony.start(untilIdle);
	reactor.stdout?.resume();
	reactor.stderr?.resume();
	const over = once(reactor, 'exit');
	while (colony.noted('half').length === 0 && reactor.exitCode === null) await pass(20);
	await inShell(colony, person, command);
	await writeFile(join(colony.home, 'go'), 'go\n');
	await over;
	const after = await stateOf(colony);
	const events = await colony.replay('wild');
	const finished = events.find(({payload}) => payload.kind === 'run.finished')?.payload;
	const facts = (finished?.outside ?? []) as readonly OutsideFact[];
	const told = facts
		.filter(isSevere)
		.map(({what, name, change, before: was}) =>
			what === 'stash' ? `stash ${was}` : `${what} ${name} ${change}`,
		);
	// From here on only refs keep the objects, and for the stash its reflog does.
	const heads = [...after.refs.keys()].filter(ref => ref.startsWith('refs/heads/'));
	await colony.git(['reflog', 'expire', '--expire=now', 'HEAD', ...heads]);
	await colony.git(['gc', '--quiet', '--prune=now']);
	const lost: string[] = [];
	for (const object of new Set([...before.refs.values(), ...before.stash, ...after.stash]))
		await colony.git(['cat-file', '-e', object]).catch(() => lost.push(object));
	return {
		acts: [...first, '(person)', ...person, '(agent)', ...second],
		expected: finished === undefined ? ['the end of a run'] : await redBetween(colony, before, after),
		told: [...told].sort(),
		lost,
	};
};

const inShell = async (
	{root, env}: ScratchColony,
	acts: readonly string[],
	command: string,
): Promise<void> => {
	const more = {PATH: process.env.PATH, NODE: process.execPath, HIVE_COMMAND: command};
	await promisify(execFile)('sh', ['-c', acts.join('\n')], {cwd: root, env: {...env, ...more}}).catch(
		() => {},
	);
};

type RootState = {
	readonly head: string;
	readonly commit: string;
	readonly refs: ReadonlyMap<string, string>;
	readonly stash: readonly string[];
	readonly settings: ReadonlyMap<string, string>;
	readonly files: ReadonlyMap<string, string>;
	readonly unsaved: ReadonlySet<string>;
};

/** Reads the state of the checkout from git and from files. */
const stateOf = async ({root, git}: ScratchColony): Promise<RootState> => {
	const refs = await git(['for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags']);
	const settings = await git(['config', '--local', '--list', '-z']);
	const status = await git(['status', '--porcelain', '-z', '--untracked-files=no', '--no-renames']);
	return {
		head: await git(['symbolic-ref', '--short', 'HEAD']).catch(() => git(['rev-parse', 'HEAD'])),
		commit: await git(['rev-parse', 'HEAD']),
		refs: new Map(
			refs
				.split('\n')
				.map(line => line.split(' ') as [string, string])
				.filter(([name]) => !name.startsWith('refs/heads/hive/')),
		),
		stash: (await git(['stash', 'list', '--format=%H'])).split('\n').filter(Boolean),
		settings: new Map(
			settings
				.split('\0')
				.filter(Boolean)
				.map(entry => [entry.slice(0, entry.indexOf('\n')), entry]),
		),
		files: new Map([
			...textsBelow(root, '.git/hooks').filter(([path]) => !path.endsWith('.sample')),
			...textsBelow(root, '.hive').filter(([path]) => !/^\.hive\/(?:runs|worktrees|cache)\//.test(path)),
		]),
		unsaved: new Set(
			status
				.split('\0')
				.map(entry => entry.slice(3))
				.filter(path => path !== '' && !path.startsWith('.hive/')),
		),
	};
};

const textsBelow = (root: string, folder: string): [string, string][] =>
	readdirSync(join(root, folder), {withFileTypes: true}).flatMap(entry => {
		const path = `${folder}/${entry.name}`;
		if (/^\.hive\/(?:runs|worktrees|cache)$/.test(path)) return [];
		return entry.isDirectory()
			? textsBelow(root, path)
			: entry.isFile()
				? [[path, readFileSync(join(root, path), 'utf8')] as [string, string]]
				: [];
	});

/** Returns what was removed, or changes which code runs, by agent or person. */
const redBetween = async ({git}: ScratchColony, before: RootState, after: RootState): Promise<string[]> => {
	const isForward = (one: string, other: string) =>
		git(['merge-base', '--is-ancestor', one, other]).then(
			() => true,
			() => false,
		);
	const refs: string[] = [];
	for (const [ref, was] of before.refs) {
		const is = after.refs.get(ref);
		const [, kind, name = ''] = /^refs\/(head|tag)s\/(.*)$/.exec(ref) ?? [];
		if (is === was) continue;
		if (is === undefined) refs.push(`${kind === 'head' ? 'branch' : 'tag'} ${name} removed`);
		else if (kind === 'tag') refs.push(`tag ${name} changed`);
		else if (!(await isForward(was, is))) refs.push(`branch ${name} rewound`);
	}
	const hasStashed = after.stash.some(entry => !before.stash.includes(entry));
	return [
		...(before.head === after.head ? [] : ['head HEAD switched']),
		...refs,
		...before.stash.filter(entry => !after.stash.includes(entry)).map(entry => `stash ${entry}`),
		...changesOf(before.settings, after.settings)
			.filter(([key]) => !key.startsWith('branch.'))
			.map(([key, change]) => `setting ${key} ${change}`),
		...changesOf(before.files, after.files).map(([path, change]) =>
			path.startsWith('.git/')
				? `hook ${path.slice('.git/'.length)} ${change}`
				: `configuration ${path} ${change}`,
		),
		...(hasStashed || before.commit !== after.commit || before.head !== after.head
			? []
			: [...before.unsaved].filter(path => !after.unsaved.has(path)).map(path => `file ${path} rewound`)),
	].sort();
};

const changesOf = (
	before: ReadonlyMap<string, string>,
	after: ReadonlyMap<string, string>,
): [string, OutsideFact['change']][] =>
	[...new Set([...before.keys(), ...after.keys()])].flatMap(name => {
		const [was, is] = [before.get(name), after.get(name)];
		if (was === is) return [];
		return [[name, was === undefined ? 'added' : is === undefined ? 'removed' : 'changed']];
	});

const restore = async (colony: ScratchColony): Promise<void> => {
	for (const part of [colony.root, colony.home]) {
		await rm(part, {recursive: true, force: true, maxRetries: 5});
		await copy(`${part}.kept`, part);
	}
};

const copy = (from: string, to: string): Promise<void> =>
	cp(from, to, {
		recursive: true,
		preserveTimestamps: true,
		verbatimSymlinks: true,
		filter: path => !path.endsWith('.sock'),
	});

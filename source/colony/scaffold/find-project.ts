/** How a repository says that it is built and tested. */
export type Project = {
	/** Absent if no file names a test command that hive knows. */
	readonly tests?: {
		readonly command: readonly string[];
		/** The file that names it, relative to the root. */
		readonly file: string;
	};
	/** Commands that prepare a new worktree; empty if none are known. */
	readonly setup: readonly (readonly string[])[];
	/** What setup makes, if it can be copied, and the files that decide it. */
	readonly cache?: {readonly key: readonly string[]; readonly paths: readonly string[]};
};

/** The files at the root that `findProject` reads. */
export const projectFiles = [
	...['package.json', 'pyproject.toml', 'pytest.ini', 'tox.ini', 'setup.cfg', 'justfile', 'Justfile'],
	...['Makefile', 'makefile', 'GNUmakefile'],
] as const;

/**
 * Finds how a repository is tested, and how its dependencies are installed. A package's own test command
 * comes before a Makefile, which comes before the default of a language.
 *
 * @param names of the files and folders at the root
 * @param textOf the text of one of `projectFiles`; empty if it is not there
 */
export const findProject = (names: ReadonlySet<string>, textOf: (file: string) => string): Project => {
	const has = (...some: readonly string[]): string | undefined => some.find(name => names.has(name));
	const setup = setupOf(has);
	const node = nodePackages.find(({lockfile}) => names.has(lockfile));
	const makefile = has('GNUmakefile', 'makefile', 'Makefile');
	const justfile = has('justfile', 'Justfile');
	const pytest = pytestFile(names, textOf);
	const python = has('uv.lock') ? ['uv', 'run'] : has('poetry.lock') ? ['poetry', 'run'] : [];
	const gradle = has('build.gradle', 'build.gradle.kts');
	const found: readonly (readonly [readonly string[], string | undefined | false])[] = [
		[
			[node?.manager ?? 'npm', ...(node?.manager === 'bun' ? ['run'] : []), 'test'],
			hasNodeTests(textOf) && 'package.json',
		],
		[['just', 'test'], justfile && hasRecipe(textOf(justfile)) ? justfile : undefined],
		[['make', 'test'], makefile && hasTarget(textOf(makefile), 'test') ? makefile : undefined],
		[['make', 'check'], makefile && hasTarget(textOf(makefile), 'check') ? makefile : undefined],
		[['cargo', 'test'], has('Cargo.toml')],
		[['go', 'test', './...'], has('go.mod')],
		[[...python, ...(python.length === 0 ? ['python3', '-m'] : []), 'pytest'], pytest],
		[[has('gradlew') ? './gradlew' : 'gradle', 'test'], gradle],
		[[has('mvnw') ? './mvnw' : 'mvn', '--batch-mode', 'test'], has('pom.xml')],
	];
	const first = found.find(([, file]) => file);
	// Only where setup is the installation of these packages alone. A Python environment names its own folder.
	const cache = node === undefined || setup.length > 1 ? undefined : packageCache(node.lockfile);
	const prepared = {setup, ...(cache && {cache})};
	return first === undefined ? prepared : {...prepared, tests: {command: first[0], file: String(first[1])}};
};

type Has = (...some: readonly string[]) => string | undefined;

const nodePackages: readonly {
	readonly lockfile: string;
	readonly manager: 'npm' | 'pnpm' | 'yarn' | 'bun';
	readonly install: readonly string[];
}[] = [
	{lockfile: 'pnpm-lock.yaml', manager: 'pnpm', install: ['pnpm', 'install', '--frozen-lockfile']},
	{lockfile: 'bun.lock', manager: 'bun', install: ['bun', 'install', '--frozen-lockfile']},
	{lockfile: 'bun.lockb', manager: 'bun', install: ['bun', 'install', '--frozen-lockfile']},
	{lockfile: 'yarn.lock', manager: 'yarn', install: ['yarn', 'install', '--frozen-lockfile']},
	{lockfile: 'package-lock.json', manager: 'npm', install: ['npm', 'ci']},
	{lockfile: 'npm-shrinkwrap.json', manager: 'npm', install: ['npm', 'ci']},
];

const packageCache = (lockfile: string) => ({key: ['package.json', lockfile], paths: ['node_modules']});

/** Tools that install what they need while they test (cargo, go, gradle, maven) need no setup. */
const setupOf = (has: Has): readonly (readonly string[])[] => {
	const node = nodePackages.find(({lockfile}) => has(lockfile) !== undefined);
	// Yarn 2 and later have a settings file of their own, and another flag.
	const yarn2 = node?.manager === 'yarn' && has('.yarnrc.yml') !== undefined;
	return [
		...(node === undefined ? [] : [yarn2 ? ['yarn', 'install', '--immutable'] : node.install]),
		...(has('uv.lock') ? [['uv', 'sync']] : []),
		...(has('poetry.lock') ? [['poetry', 'install']] : []),
	];
};

/** npm writes this script into a new package, and it always fails. */
const placeholder = /no test specified/;

const hasNodeTests = (textOf: (file: string) => string): boolean => {
	try {
		const script: unknown = JSON.parse(textOf('package.json'))?.scripts?.test;
		return typeof script === 'string' && script.trim() !== '' && !placeholder.test(script);
	} catch {
		return false;
	}
};

const hasTarget = (makefile: string, target: string): boolean =>
	new RegExp(`^${target}[ \\t]*:(?!=)`, 'm').test(makefile);

const hasRecipe = (justfile: string): boolean => /^test(?:[ \t][^\n:=]*)?:(?!=)/m.test(justfile);

/** The file that says that the project is tested with pytest. */
const pytestFile = (names: ReadonlySet<string>, textOf: (file: string) => string): string | undefined => {
	if (names.has('pytest.ini')) return 'pytest.ini';
	const sections = [
		['pyproject.toml', '[tool.pytest'],
		['tox.ini', '[pytest]'],
		['setup.cfg', '[tool:pytest]'],
	] as const;
	const named = sections.find(([file, section]) => textOf(file).includes(section));
	if (named !== undefined) return named[0];
	return names.has('conftest.py') ? 'conftest.py' : undefined;
};

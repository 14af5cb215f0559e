import type {Random} from '../simulator/random.ts';

/**
 * Two changes of one small program, each fine alone. `clash`: together they are broken, although git merges
 * them. `fit`: together they are fine too.
 */
export type Pair = {
	readonly kind: 'clash' | 'fit';
	/** Its traces, in the order of approval. */
	readonly traces: readonly [string, string];
	/** Files of the first commit. */
	readonly files: Readonly<Record<string, string>>;
};

/**
 * Fails if a file calls a function that its program does not define. A program is a folder: `def` has the
 * names of its functions, and each `use-…` the names that it calls.
 */
export const check = `awk '{
	split(FILENAME, path, "/")
	if (path[2] == "def") known[path[1] " " $0] = 1
	else if (!((path[1] " " $0) in known)) { print FILENAME " calls " $0; exit 3 }
}' p*/def p*/use-*
`;

const fileCount = 8;

/** Each agent runs the script of its trace, which the first commit has. */
export const script = 'sh "changes/$HIVE_TRACE_ID.sh"\necho "Done"';

/** One change renames `old` in the files that call it. The other calls a function in one of the others. */
export const createPair = (index: number, random: Random): Pair => {
	const kind = index % 2 === 0 ? 'clash' : 'fit';
	const folder = `p${index}`;
	const [rename, call] = [`rename-${index}`, `call-${index}`];
	const paths = Array.from({length: fileCount}, (_, file) => `${folder}/use-${file}`);
	const callers = paths.filter(() => random.chance(0.5));
	const others = paths.filter(path => !callers.includes(path));
	const target = random.pickAny([...others, `${folder}/use-new`]) ?? `${folder}/use-new`;
	return {
		kind,
		traces: random.chance(0.5) ? [rename, call] : [call, rename],
		files: {
			[`${folder}/def`]: 'old\nstable\n',
			...Object.fromEntries(paths.map(path => [path, callers.includes(path) ? 'stable\nold\n' : 'stable\n'])),
			[`changes/${rename}.sh`]: `sed -i 's/^old$/new/' ${[`${folder}/def`, ...callers].join(' ')}\n`,
			[`changes/${call}.sh`]: `echo ${kind === 'clash' ? 'old' : 'stable'} >>${target}\n`,
		},
	};
};

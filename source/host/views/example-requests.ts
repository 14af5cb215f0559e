/** What is known of a repository for examples of requests. Paths are relative to its root. */
export type RepositoryFacts = {
	/** Tracked files in git's order. Those of the root are complete. */
	readonly files: readonly string[];
	/** True if files of folders are left out, so that a test may be among them. */
	readonly isCut?: boolean;
	/** The start of the readme. Absent if there is none. */
	readonly readme?: string | undefined;
	/** A note of work that is left, in one of `sourcesOf`. */
	readonly todo?: {readonly path: string; readonly text: string} | undefined;
};

/** Number of examples. */
const exampleCount = 3;

/**
 * Examples of what a person could ask for in this repository, the most specific first. The same facts give
 * the same examples. Names and notes that need escaping are passed over, so each example is plain text.
 */
export const exampleRequests = ({files, isCut = false, readme, todo}: RepositoryFacts): readonly string[] => {
	const plain = files.filter(isPlain);
	const sources = sourcesOf(files);
	const [source] = sources;
	const [untested, untestedToo] = isCut ? [] : untestedOf(files);
	const readmeName = readmeOf(files);
	const isEmpty = plain.every(path => isHidden(path) || path === readmeName || /^licen[cs]e/i.test(path));
	const [text] = plain.filter(path => !isHidden(path) && path !== readmeName);
	const says = [
		untested && `Add a test for ${untested}`,
		todo && isPlain(todo.path) && `Fix the TODO in ${todo.path}: ${todo.text}`,
		readmeName && source && !/\btest/i.test(readme ?? '') && `Describe how to run the tests in ${readmeName}`,
		!readmeName && `Write a README.md with what this project ${source ? 'does and how to run it' : 'is for'}`,
		untestedToo && `Add a test for ${untestedToo}`,
		source && `Handle the errors that ${source} does not handle yet`,
		source && readmeName && `Check that ${readmeName} says what the code does, and correct it`,
		source && `Explain at the top of ${source} what it is for`,
		isEmpty && 'Write a small program that prints a greeting, with a test for it',
		!isEmpty && text && !source && `Look through ${text} for mistakes, and correct them`,
		!files.includes('.gitignore') && 'Add a .gitignore for the tools of this project',
		readmeName && isEmpty && `Write in PLAN.md what to build first, from ${readmeName}`,
		isEmpty && 'Set up the folders of this project, with a first test that passes',
		readmeName && `Correct the mistakes in ${readmeName}`,
		'Add a script that checks this repository for mistakes',
	];
	// A list of git may name a file twice, for example while a merge is not resolved.
	return [...new Set(says.filter(one => typeof one === 'string'))].slice(0, exampleCount);
};

/** The readme of the root. */
export const readmeOf = (files: readonly string[]): string | undefined =>
	files.find(path => /^readme(?:\.(?:md|markdown|rst|adoc|txt))?$/i.test(path));

/** Source files of the project's own, those that matter most first. */
export const sourcesOf = (files: readonly string[]): readonly string[] =>
	files
		.filter(path => isPlain(path) && sourceName.test(path) && !isHidden(path) && !foreign.test(path))
		.filter(path => !isTest(path))
		.toSorted((one, other) => rankOf(one) - rankOf(other));

/** Source files without a test of their name. */
const untestedOf = (files: readonly string[]): readonly string[] => {
	const tested = new Set(files.filter(isTest).map(stemOf));
	return sourcesOf(files).filter(path => !testedInside.test(path) && !tested.has(stemOf(path)));
};

/** The first note of work that is left in the text of a source file. */
export const todoIn = (text: string): string | undefined => {
	for (const row of text.split('\n')) {
		const found = row.length > maxRow ? null : todoNote.exec(row);
		const note = (found?.[1] ?? '').replace(/\s*(?:\*\/|-->)?\s*$/, '');
		if (note.length >= minNote && printable.test(note)) return clipAtSpace(note);
	}
	return undefined;
};

/** Max columns of a path, and of a note. With the words around them they fit in two rows of 60 columns. */
const maxPath = 48;
const maxNote = 56;
const minNote = 6;
/** Longer rows are data, or generated. */
const maxRow = 300;

const clipAtSpace = (note: string): string => {
	if (note.length <= maxNote) return note;
	const end = note.lastIndexOf(' ', maxNote - 2);
	return `${note.slice(0, end > 0 ? end : maxNote - 2)} …`;
};

const printable = /^[\x20-\x7e]+$/;
const todoNote = /(?:\/\/|#|\*|--)\s{0,4}TODO\b(?:\([^)]{0,40}\))?:?\s{1,4}(\S.*)/;

/** True if a path can be shown, and be asked for, as it is. */
const isPlain = (path: string): boolean => path.length <= maxPath && /^\w[\w@+./-]*$/.test(path);

const isHidden = (path: string): boolean => /(?:^|\/)\./.test(path);

const sourceName =
	/\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|swift|scala|ex|lua|dart|zig|hs|c|cc|cpp|sh|svelte|vue)$/;
/** Languages whose tests are usually in the file, or have no usual name. */
const testedInside = /\.(?:rs|c|cc|cpp|sh|zig|hs|lua)$/;

/** Files that are generated, set up a tool, or are copies of other projects. */
const foreign =
	/(?:^|\/)(?:node_modules|vendor|third_party|dist|build|out|generated)\/|\.(?:d|min|config|gen|pb)\.\w+$|_pb2\.py$|(?:^|\/)(?:__init__|setup|conftest|manage|doc)\.\w+$/;

const isTest = (path: string): boolean =>
	/(?:^|[/._-])(?:tests?|specs?|__tests__)(?:[/._-]|$)|(?:Tests?|Spec)\.\w+$/.test(path);

/** The name of what a file holds or tests: `parse` of `src/parse.ts`, `parse.test.ts` and `test_parse.py`. */
const stemOf = (path: string): string => {
	const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
	return name.replace(/^test_|[._-](?:test|spec)s?$|(?:Tests?|Spec)$/, '').toLowerCase();
};

/** The code of the project comes before its entry points, and these before its examples and scripts. */
const rankOf = (path: string): number => {
	if (/(?:^|\/)(?:docs?|examples?|scripts?|tools|fixtures|bench\w*|demo)\//.test(path)) return 3;
	if (/(?:^|\/)(?:index|main|cli|app)\.\w+$/.test(path)) return 2;
	return /^(?:src|lib|source|app|pkg|internal|cmd|packages)\//.test(path) ? 0 : 1;
};

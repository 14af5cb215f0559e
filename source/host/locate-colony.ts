import {
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	readdirSync,
	readFileSync,
	statSync,
} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';
import {distinguish, isSlug} from '../colony/slug.ts';
import {maxConfigurationBytes} from '../ports/files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Location of a checkout's colony, and of its live state on this machine. Absolute paths. */
type Located = {readonly root: string; readonly machineFolder: string; readonly socket: string};

/**
 * Finds the colony around a folder with a few small reads, without git or YAML, for commands that must start
 * fast. Undefined if it is not a simple case: a worktree, no colony, or no valid slug.
 */
export const locateColony = (env: Environment, cwd: string): Located | undefined => {
	const root = env.HIVE_COLONY_ROOT || checkoutAround(cwd);
	if (root === undefined) return undefined;
	const slug = scalar(path.join(root, '.hive', 'colony.yaml'), 'slug', readPlain);
	if (slug === undefined || !isSlug(slug)) return undefined;
	const folder = machineFolder(env, root, slug);
	return {root, machineFolder: folder, socket: path.join(folder, 'reactor.sock')};
};

/**
 * Returns the machine-local folder of a checkout: `<slug>`, or `<slug>-<8 hex>` if that belongs to another
 * checkout (docs/architecture.md §3).
 */
export const machineFolder = (env: Environment, root: string, slug: string): string => {
	const home = machineHome(env);
	const owner = scalar(path.join(home, slug, 'config.yaml'), 'colony_root');
	return path.join(home, owner === undefined || owner === root ? slug : distinguish(slug, root));
};

/** Returns the roots of the colony's other checkouts for which this machine has a folder. */
export const rootsBeside = (env: Environment, root: string): string[] => {
	const slug = scalar(path.join(root, '.hive', 'colony.yaml'), 'slug');
	const home = machineHome(env);
	return namesIn(home)
		.filter(name => slug !== undefined && (name === slug || name.startsWith(`${slug}-`)))
		.flatMap(name => scalar(path.join(home, name, 'config.yaml'), 'colony_root') ?? [])
		.filter(other => other !== root);
};

const namesIn = (folder: string): string[] => {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
};

/** Folder that holds one machine-local folder per checkout. */
export const machineHome = (env: Environment): string =>
	path.join(env.XDG_CONFIG_HOME || path.join(env.HOME || homedir(), '.config'), 'hive');

const checkoutAround = (folder: string): string | undefined => {
	const git = statSync(path.join(folder, '.git'), {throwIfNoEntry: false});
	if (git !== undefined) return git.isDirectory() ? folder : undefined;
	const parent = path.dirname(folder);
	return parent === folder ? undefined : checkoutAround(parent);
};

/** Reads a top-level scalar of a YAML file that is written on one line, plain or quoted. */
const scalar = (
	file: string,
	key: string,
	read = (path: string): string => readFileSync(path, 'utf8'),
): string | undefined => {
	let text: string;
	try {
		text = read(file);
	} catch {
		return undefined;
	}
	const line = new RegExp(`^${key}:[ \\t]*(.*)$`, 'm').exec(text)?.[1] ?? '';
	const [, double, single, plain] =
		/^(?:("(?:[^"\\]|\\.)*")|'((?:[^']|'')*)'|([^"'].*?))(?:[ \t]+#.*|[ \t]*)$/.exec(line) ?? [];
	return double === undefined ? (single?.replaceAll("''", "'") ?? plain) : fromJson(double);
};

const {O_NOFOLLOW, O_NONBLOCK, O_RDONLY} = constants;

/**
 * Reads a file that a clone may have replaced by anything. Throws for what the file driver would refuse to
 * read below `.hive`.
 */
const readPlain = (file: string): string => {
	const isIn = lstatSync(path.dirname(file)).isDirectory();
	const handle = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	try {
		const stats = fstatSync(handle);
		if (!isIn || !stats.isFile() || stats.size > maxConfigurationBytes) throw new TypeError('no plain file');
		return readFileSync(handle, 'utf8');
	} finally {
		closeSync(handle);
	}
};

/** YAML's double quotes are those of JSON, except for escapes that JSON does not have. */
const fromJson = (text: string): string | undefined => {
	try {
		return String(JSON.parse(text));
	} catch {
		return undefined;
	}
};

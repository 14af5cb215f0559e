import {createHash} from 'node:crypto';
import {join} from 'node:path';
import type {Detail} from '../../domain/errors.ts';
import {
	canRunPrograms,
	formatSetting,
	formatTransfer,
	isRepositorySetting,
	transferSettings,
} from '../../domain/git-settings.ts';
import type {Files} from '../../ports/files.ts';
import type {Git} from '../../ports/git.ts';

/**
 * Lists what makes git run programs, or read other objects and parents than the real ones, in a repository's
 * own git folder. These are settings, hooks, attributes, replaced objects, grafts and a shallow border. Each
 * is one note. All worktrees share this folder, so an agent in one can plant something that affects every
 * other user (docs/reliability.md I17, I21).
 */
export const readPlantable = async (git: Git, files: Files, root: string): Promise<readonly string[]> => [
	...(await git.settings(root)).filter(isRepositorySetting).filter(canRunPrograms).map(formatSetting),
	...(await readGitFiles(git, files, root)),
];

/** The same without settings, as `<name>=<digest>`. */
export const readGitFiles = async (git: Git, files: Files, root: string): Promise<readonly string[]> => {
	const {common} = await git.folders(root);
	const [hooks, info, border, replaced] = await Promise.all([
		notesOf(files, common, 'hooks', name => !name.endsWith('.sample')),
		notesOf(files, common, 'info', name => name === 'attributes' || name === 'grafts'),
		digestOf(files, common, 'shallow'),
		replacedObjects(git, files, root, common),
	]);
	return [
		...hooks,
		...info,
		...border,
		...(replaced === '' ? [] : [`refs/replace=${createHash('sha256').update(replaced).digest('hex')}`]),
	];
};

/** Runs git only if there may be replaced objects. Most repositories have none, and each run checks twice. */
const replacedObjects = async (git: Git, files: Files, root: string, common: string): Promise<string> => {
	const [loose, packed = '', reftable] = await Promise.all([
		files.list(join(common, 'refs', 'replace')),
		files.read(join(common, 'packed-refs')),
		files.size(join(common, 'reftable')),
	]);
	if (loose.length === 0 && !packed.includes(' refs/replace/') && reftable === undefined) return '';
	const list = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/replace/'];
	return (await git.attempt(list, {cwd: root})).stdout;
};

/** File in the machine-local folder: the notes at the last `hive init` by a person. */
export const acceptedFile = 'git-accepted.json';

/** Name of the note about the forge that may receive a token. */
export const forgeNote = 'hive.forge';

/** Notes about the way to remotes, accepted with the others and checked at each transfer. */
export const readTransferNotes = async (git: Git, root: string): Promise<readonly string[]> =>
	transferSettings(await git.settings(root)).map(formatTransfer);

/** True if the note is about a forge, or of a setting about transfers that runs no program. */
const isOfTransferOnly = (note: string): boolean => {
	if (note.startsWith(`${forgeNote}=`)) return true;
	const setting = {
		scope: 'local',
		key: note.slice(0, note.indexOf('=')),
		value: note.slice(note.indexOf('=') + 1),
	};
	return transferSettings([setting]).length > 0 && !canRunPrograms(setting);
};

/** Names of notes that are new, changed or gone. Notes about transfers are not about what runs here. */
export const plantedSince = (earlier: readonly string[], now: readonly string[]): readonly string[] => {
	const before = earlier.filter(note => !isOfTransferOnly(note));
	const changed = [
		...now.filter(note => !before.includes(note)),
		...before.filter(note => !now.includes(note)),
	];
	return [...new Set(changed.map(note => note.slice(0, note.indexOf('='))))];
};

/** @param folder the colony's machine-local folder */
export const readAccepted = async (files: Files, folder: string): Promise<ReadonlySet<string>> =>
	new Set(parseNotes(await files.read(join(folder, acceptedFile))));

/** Notes that are new or have another value, as they are shown to a person. */
export const newNotes = (before: readonly string[], now: readonly string[]): readonly Detail[] =>
	now
		.filter(note => !before.includes(note))
		.map(note => {
			const [name, value] = [note.slice(0, note.indexOf('=')), note.slice(note.indexOf('=') + 1)];
			const what = before.some(other => other.startsWith(`${name}=`)) ? 'changed' : 'new';
			// For a file, the note has a checksum, which tells a person nothing.
			return {path: name, message: /^[0-9a-f]{64}$/.test(value) ? what : `${what}: ${value}`};
		});

/** Parses the notes in a file; empty when the file is missing or damaged. */
export const parseNotes = (text: string | undefined): readonly string[] => {
	try {
		const notes: unknown = JSON.parse(text ?? '[]');
		return Array.isArray(notes) ? notes.filter(note => typeof note === 'string') : [];
	} catch {
		return [];
	}
};

export const renderNotes = (notes: readonly string[]): string => `${JSON.stringify(notes, undefined, 2)}\n`;

/** Digest of one file of git's folder; empty if it does not exist. */
const digestOf = async (files: Files, common: string, name: string): Promise<string[]> => {
	if (!(await files.list(common)).includes(name)) return [];
	const hashes = await files.hashes(common, only => only === name);
	return [`${name}=${hashes.get(name) ?? 'a link or folder'}`];
};

/** Git also runs a hook through a link, whose target may change without being noticed. */
const notesOf = async (
	files: Files,
	common: string,
	folder: string,
	isWanted: (name: string) => boolean,
): Promise<string[]> => {
	const names = (await files.list(join(common, folder))).filter(isWanted);
	if (names.length === 0) return [];
	const hashes = await files.hashes(join(common, folder), isWanted);
	return names.map(name => `${folder}/${name}=${hashes.get(name) ?? 'a link or folder'}`);
};

import {createHash} from 'node:crypto';
import {join} from 'node:path';
import type {Detail} from '../../domain/errors.ts';
import {canRunPrograms, isOfRepository, noteOfSetting} from '../../domain/git-settings.ts';
import type {Files} from '../../ports/files.ts';
import type {Git} from '../../ports/git.ts';

/**
 * What of a repository's own git folder makes git run programs, or read other objects and parents than those
 * that are there: settings, hooks, attributes, replaced objects, grafts and a shallow border, as one note for
 * each. All worktrees share it, so an agent in one can plant what counts for everybody (docs/reliability.md
 * I17, I21).
 */
export const readPlantable = async (git: Git, files: Files, root: string): Promise<readonly string[]> => [
	...(await git.settings(root)).filter(isOfRepository).filter(canRunPrograms).map(noteOfSetting),
	...(await readGitFiles(git, files, root)),
];

/** The same without the settings, as `<name>=<digest>`. */
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

/** Git is asked only where there may be any: most repositories have none, and each run looks twice. */
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

/** Of the machine-local folder: what was there when a person last ran `hive init`. */
export const acceptedFile = 'git-accepted.json';

/** Names of what is there and was not, or is gone. */
export const plantedSince = (before: readonly string[], now: readonly string[]): readonly string[] => {
	const changed = [
		...now.filter(note => !before.includes(note)),
		...before.filter(note => !now.includes(note)),
	];
	return [...new Set(changed.map(note => note.slice(0, note.indexOf('='))))];
};

/** @param folder this machine's, of the colony */
export const readAccepted = async (files: Files, folder: string): Promise<ReadonlySet<string>> =>
	new Set(parseNotes(await files.read(join(folder, acceptedFile))));

/** What is there and was not, or has another value, as a person is shown it. */
export const newNotes = (before: readonly string[], now: readonly string[]): readonly Detail[] =>
	now
		.filter(note => !before.includes(note))
		.map(note => {
			const [name, value] = [note.slice(0, note.indexOf('=')), note.slice(note.indexOf('=') + 1)];
			const what = before.some(other => other.startsWith(`${name}=`)) ? 'changed' : 'new';
			// Of a file the note has the sum, which says nothing to a person.
			return {path: name, message: /^[0-9a-f]{64}$/.test(value) ? what : `${what}: ${value}`};
		});

/** Notes that were kept in a file; none when there is no such file, or it is torn. */
export const parseNotes = (text: string | undefined): readonly string[] => {
	try {
		const notes: unknown = JSON.parse(text ?? '[]');
		return Array.isArray(notes) ? notes.filter(note => typeof note === 'string') : [];
	} catch {
		return [];
	}
};

export const renderNotes = (notes: readonly string[]): string => `${JSON.stringify(notes, undefined, 2)}\n`;

/** One file of git's folder; nothing where it is not there. */
const digestOf = async (files: Files, common: string, name: string): Promise<string[]> => {
	if (!(await files.list(common)).includes(name)) return [];
	const hashes = await files.hashes(common, only => only === name);
	return [`${name}=${hashes.get(name) ?? 'a link or folder'}`];
};

/** Git runs a hook through a link too; where that leads may change without a trace. */
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

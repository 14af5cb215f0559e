import {basename, extname, relative} from 'node:path';
import {errorMessage} from '../domain/error-message.ts';
import type {Payload} from '../domain/event.ts';
import {type Redactor, redactionMargin} from '../domain/redact.ts';
import type {Files} from '../ports/files.ts';
import {artifactsDirectory, runPath} from './layout.ts';

/** One file of a trace's artifact folder (docs/rules.md §7). */
export type ArtifactReference = {
	/** Colony-relative, with slashes. */
	readonly ref: string;
	readonly artifactKind: string;
	readonly title?: string;
};

/** Location of a trace's artifacts. */
type ArtifactContext = {
	readonly files: Files;
	readonly root: string;
	readonly traceId: string;
	/** Applied to titles before they are cut. */
	readonly redact: Redactor;
};

/** Max number of artifacts in an event; the folder has the rest. */
const maxArtifacts = 500;
const maxTitleLength = 200;
/** Max characters of a file in which its title is searched. */
const maxTitleScanLength = 4096;

/**
 * Returns the contents of the artifact folder before a run, as text to store. The folder is made if it is
 * missing.
 */
export const artifactsBaseline = async (files: Files, root: string, traceId: string): Promise<string> => {
	const folder = artifactsDirectory(root, traceId);
	const isNew = await files.makeFolder(folder, {mode: 0o700});
	const baseline = isNew
		? {hashes: {}}
		: await files.hashes(folder, isArtifactName).then(
				hashes => ({hashes: Object.fromEntries(hashes)}),
				(error: unknown) => ({hashes: {}, error: errorMessage(error)}),
			);
	return `${JSON.stringify(baseline, undefined, 2)}\n`;
};

/** Returns files that a run added or changed; none if the contents before the run are unknown. */
export const changedArtifacts = async (
	context: ArtifactContext,
	directory: string,
): Promise<readonly ArtifactReference[]> => {
	const {files, root, traceId} = context;
	const before = parseBaseline((await files.read(runPath(directory, 'artifactsBaseline'))) ?? '');
	if (before === undefined) return [];
	const after = await files.hashes(artifactsDirectory(root, traceId), isArtifactName);
	const changed = [...after].filter(([path, hash]) => before[path] !== hash).map(([path]) => path);
	return Promise.all(changed.slice(0, maxArtifacts).map(path => referenceTo(context, path)));
};

/** Returns every file of a trace's artifact folder that an event could name. */
export const listArtifacts = async (context: ArtifactContext): Promise<readonly ArtifactReference[]> => {
	const {files, root, traceId} = context;
	const folder = artifactsDirectory(root, traceId);
	if ((await files.size(folder)) === undefined) return [];
	const found = await files.hashes(folder, isArtifactName);
	return Promise.all([...found.keys()].sort().map(path => referenceTo(context, path)));
};

const referenceTo = async (context: ArtifactContext, name: string): Promise<ArtifactReference> => {
	const path = `${artifactsDirectory(context.root, context.traceId)}/${name}`;
	const title = name.endsWith('.md') ? await titleOf(context, path) : '';
	const ref = relative(context.root, path);
	return {ref, artifactKind: kindOfArtifact(ref), ...(title === '' ? {} : {title})};
};

/**
 * Returns `artifact.written` in its list form, with a kind for each artifact. The short form names one
 * artifact in the payload itself.
 */
export const normaliseArtifacts = (payload: Payload): Payload => {
	if (payload.kind !== 'artifact.written') return payload;
	const {ref, artifactKind, title, artifacts, ...rest} = payload;
	const single = {ref, ...(artifactKind === undefined ? {} : {artifactKind}), ...(title ? {title} : {})};
	const list: readonly unknown[] = Array.isArray(artifacts) ? artifacts : [single];
	return {...rest, artifacts: list.map(withKind)};
};

/** False for hidden files, and for those that an editor makes while it saves. */
const isArtifactName = (name: string): boolean => !name.startsWith('.') && !/(~|\.swp|\.tmp)$/.test(name);

const withKind = (item: unknown): unknown => {
	const {ref, artifactKind}: Record<string, unknown> = {...Object(item)};
	return artifactKind === undefined && typeof ref === 'string'
		? {...Object(item), artifactKind: kindOfArtifact(ref)}
		: item;
};

/** Returns the file's name without its last extension. */
const kindOfArtifact = (ref: string): string => basename(ref, extname(ref));

const titleOf = async ({files, redact}: ArtifactContext, path: string): Promise<string> => {
	if (await files.isLink(path)) return '';
	const bytes = await files.readBytes(path, 0, maxTitleScanLength + redactionMargin);
	const start = redact(new TextDecoder().decode(bytes)).slice(0, maxTitleScanLength);
	const line = start.split('\n').find(text => text.trim() !== '') ?? '';
	return line
		.replace(/^\s*#+/, '')
		.trim()
		.slice(0, maxTitleLength);
};

const parseBaseline = (text: string): Readonly<Record<string, unknown>> | undefined => {
	try {
		const {hashes, error}: Record<string, unknown> = {...Object(JSON.parse(text))};
		return error === undefined && typeof hashes === 'object' && hashes !== null ? {...hashes} : undefined;
	} catch {
		return undefined;
	}
};

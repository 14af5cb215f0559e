import {lstat, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {escapeHidden} from '../../domain/escape-hidden.ts';
import type {AskedHost} from '../../domain/host-rule.ts';
import {redactionMargin} from '../../domain/redact.ts';
import type {Files} from '../../ports/files.ts';
import {type runFile, runPath} from '../../runs/layout.ts';
import {readTail} from '../../runs/read-log.ts';
import {cutEnd} from '../remains.ts';
import {deniedIn} from './denied.ts';

/** Bytes to read at the end of each output. */
const maxOutputBytes = 1024 * 1024;
/** Entries to look at in the folder of a moment. */
const maxEntries = 2000;
const maxNamed = 3;
const maxNameLength = 80;

const outputs: readonly (keyof typeof runFile)[] = ['stdout', 'stderr', 'transcript'];

/**
 * What is known of an ended run's containment, in words for people: what its output says was denied, the
 * hosts that it asked its proxy for, and the files in its own /tmp, which are thrown away. Empty for a run
 * that was not contained. Its content is hostile, so all is bounded.
 */
export const containmentReport = async (
	{files, redact}: {readonly files: Files; readonly redact: (text: string) => string},
	directory: string,
): Promise<readonly string[]> => {
	const folder = runPath(directory, 'contained');
	if ((await files.size(join(folder, 'run.json'))) === undefined) return [];
	const texts = await Promise.all(
		outputs.map(name =>
			readTail(files, runPath(directory, name), maxOutputBytes + redactionMargin).catch(() => ''),
		),
	);
	const denied = deniedIn(redact(texts.join('\n')));
	const thrown = await filesBelow(join(folder, 'tmp'));
	const hosts = await askedHosts(files, join(folder, 'hosts.json'));
	const refused = hosts.filter(({allowed}) => !allowed);
	const reached = hosts.filter(({allowed}) => allowed);
	return [
		...(denied.length === 0
			? []
			: [`it was denied ${formatNames(denied)}, as it printed; more may have been refused`]),
		...(refused.length === 0
			? []
			: [`it asked for hosts that it may not reach: ${formatNames(refused.map(addressOf))}`]),
		...(reached.length === 0
			? []
			: [`it asked for hosts of its list: ${formatNames(reached.map(addressOf))}`]),
		...(thrown.length === 0 ? [] : [`files in its own /tmp were thrown away: ${formatNames(thrown)}`]),
	];
};

/** The hosts that its proxy was asked for. The proxy wrote the file, which nothing inside can write to. */
const askedHosts = async (files: Files, path: string): Promise<readonly AskedHost[]> => {
	const text = await files.read(path);
	return text === undefined ? [] : JSON.parse(text);
};

const addressOf = ({host, port}: AskedHost): string => `${host}:${port}`;

const formatNames = (names: readonly string[]): string => {
	const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
	const shown = names.slice(0, maxNamed).map(name => cutEnd(escapeHidden(name), maxNameLength));
	return `${shown.join(', ')}${more}`;
};

/** Paths of regular files with content, relative to the folder. Follows no link. */
const filesBelow = async (folder: string): Promise<readonly string[]> => {
	const found: string[] = [];
	const folders = [''];
	let looked = 0;
	for (const below of folders) {
		const entries = await readdir(join(folder, below), {withFileTypes: true}).catch(() => []);
		for (const entry of entries) {
			looked += 1;
			if (looked > maxEntries) return found;
			const path = join(below, entry.name);
			if (entry.isDirectory()) folders.push(path);
			else if (entry.isFile() && (await hasContent(join(folder, path)))) found.push(path);
		}
	}
	return found.sort();
};

const hasContent = async (path: string): Promise<boolean> =>
	((await lstat(path).catch(() => undefined))?.size ?? 0) > 0;

import {join} from 'node:path';
import type {AgentTool} from '../colony/agent-tools.ts';
import {parseColonyYaml} from '../colony/parse/colony.ts';
import {readYamlUncached} from '../colony/parse/read-yaml-uncached.ts';
import {flowFiles, flowInvites, isScaffold, replacing} from '../colony/scaffold/scaffold.ts';
import type {Flow} from '../domain/flow.ts';
import type {Files} from '../ports/files.ts';

/** Root-relative paths. */
type FlowAdded = {
	readonly created: readonly string[];
	readonly kept: readonly string[];
	/** Kept files whose content differs from what the flow needs. */
	readonly differing: readonly string[];
};

const colonyFile = '.hive/colony.yaml';

/**
 * Adds the files of a flow to an existing colony. A file of `hive init` that is unchanged is replaced; others
 * stay.
 */
export const addFlow = async (
	files: Files,
	root: string,
	flow: Flow,
	tool: AgentTool,
): Promise<FlowAdded> => {
	const log = {created: [] as string[], kept: [] as string[], differing: [] as string[]};
	const put = async (path: string, text: string, merged: string | undefined): Promise<void> => {
		if (text !== merged && merged !== undefined) {
			await files.write(join(root, path), merged);
			log.created.push(path);
			return;
		}
		log.kept.push(path);
		if (merged === undefined) log.differing.push(path);
	};
	for (const [path, wanted] of flowFiles(flow, tool)) {
		const present = await files.read(join(root, path));
		const like = present === undefined ? wanted : replacing(present, wanted);
		const isOurs = present === undefined || present === like || isScaffold(path, present);
		await put(path, present ?? '', isOurs ? like : undefined);
	}
	const colony = (await files.read(join(root, colonyFile))) ?? '';
	await put(colonyFile, colony, await withInvites(colony, flowInvites(flow)));
	return log;
};

/**
 * Returns the text with the invites of the flow; undefined if it has other invites, or they cannot be
 * appended.
 */
const withInvites = async (text: string, invites: string): Promise<string | undefined> => {
	if (text.includes(invites)) return text;
	const now = parseColonyYaml(colonyFile, await readYamlUncached(text));
	if (now.value?.autoInvites !== undefined) return undefined;
	const more = `${text.endsWith('\n') ? text : `${text}\n`}${invites}`;
	const then = parseColonyYaml(colonyFile, await readYamlUncached(more));
	return then.value?.autoInvites === undefined ? undefined : more;
};

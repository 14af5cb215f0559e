import {join} from 'node:path';
import type {AgentTool} from '../colony/agent-tools.ts';
import type {Files} from '../ports/files.ts';

/** A bee that now runs another agent tool. */
export type Retooled = {
	/** Relative to the root. */
	readonly path: string;
	/** The adapters. */
	readonly from: string;
	readonly to: string;
};

const beesFolder = '.hive/bees';

/** Changes the bees that run an agent tool to another one (`retoolBee`). */
export const retoolBees = async (
	files: Files,
	root: string,
	tool: AgentTool,
): Promise<readonly Retooled[]> => {
	// The YAML library is large, and most inits do not change bees.
	const {retoolBee} = await import('../colony/scaffold/retool-bee.ts');
	const retooled: Retooled[] = [];
	for (const name of await files.list(join(root, beesFolder))) {
		const path = `${beesFolder}/${name}`;
		const text = name.endsWith('.yaml') ? await files.read(join(root, path)) : undefined;
		const changed = text === undefined ? undefined : retoolBee(path, text, tool);
		if (changed === undefined) continue;
		await files.write(join(root, path), changed.text);
		retooled.push({path, from: changed.from, to: tool.adapter});
	}
	return retooled;
};

import {isMap, parseDocument} from 'yaml';
import {type AgentTool, acpTools, agentTools} from '../agent-tools.ts';
import {isScaffold, replacing, scaffoldFiles} from './scaffold.ts';
import {toolEntries} from './works-with.ts';

/**
 * Returns the text of a bee's file with another agent tool, and the adapter that it had. Text as init
 * wrote it is written anew. Otherwise the adapter and what belongs to it (program, model, arguments) are
 * replaced; the rest stays. Undefined if nothing is to change: for scripts, bees with a command of their
 * own, and text that is no YAML.
 *
 * @param path of the file, relative to the root
 */
export const retoolBee = (
	path: string,
	text: string,
	tool: AgentTool,
): {readonly from: string; readonly text: string} | undefined => {
	const document = parseDocument(text);
	const from = document.errors.length === 0 ? document.get('adapter') : undefined;
	if (typeof from !== 'string' || document.has('command')) return undefined;
	if (![...agentTools, ...acpTools].some(({adapter}) => adapter === from)) return undefined;
	if (isScaffold(path, text)) {
		const wanted = replacing(text, scaffoldFiles(tool).get(path) ?? text);
		return wanted === text ? undefined : {from, text: wanted};
	}
	if (from === tool.adapter && document.get('agent') === tool.agent) return undefined;
	const readsOnly = document.getIn(['params', 'read_only']) === true;
	document.set('adapter', tool.adapter);
	if (tool.agent === undefined) document.delete('agent');
	else document.set('agent', tool.agent);
	for (const key of ofOneTool) document.deleteIn(['params', key]);
	for (const [key, value] of toolEntries(tool, {readsOnly})) document.setIn(['params', key], value);
	const params = document.get('params');
	if (isMap(params) && params.items.length === 0) document.delete('params');
	return {from, text: document.toString({lineWidth: 0})};
};

/** Params that mean something else, or nothing, to another tool. */
const ofOneTool = ['binary', 'model', 'args', 'read_only', 'force'];

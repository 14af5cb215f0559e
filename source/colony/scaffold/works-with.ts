import type {AgentTool} from '../agent-tools.ts';

type Reading = {
	readonly readsOnly: boolean;
	/** True for a bee that asks a person before it publishes anything, where its tool can ask. */
	readonly asks?: true;
};

/** For a bee whose agent asks about every act, and that is not to wait for a person. */
const readingLines = `permissions:
  allow: [read, shell, web]
`;
const workingLines = `permissions:
  allow: [edit, read, shell, web]
`;

/**
 * What a bee asks about. It may run every other command: a question about each would stop its work. An
 * earlier hive did not write these lines.
 */
const permissionRules = `permissions:
  allow: [edit, read, shell]
  ask:
    - shell(git push *)
    - shell(sudo *)
    - shell(npm publish *)
    - shell(pnpm publish *)
    - shell(yarn publish *)
    - shell(yarn npm publish *)
    - shell(bun publish *)
    - shell(cargo publish *)
    - shell(gem push *)
    - shell(poetry publish *)
    - shell(twine upload *)
    - shell(uv publish *)
`;
const permissionLines = `# But it asks you before these commands, edits elsewhere and the web: "hive question list".
${permissionRules}`;

/** The last lines about a tool. An earlier hive did not write them. */
const containLines = `# It reaches its workspace and little else, where the machine can see to that: "hive contain show <bee>".
contain: auto
`;

/** The text without those lines, as an earlier hive wrote it. */
export const withoutContain = (text: string): string => text.replace(containLines, '');

/** The text without any lines that an earlier hive did not write. */
export const withoutAdded = (text: string): string => withoutContain(text).replace(permissionLines, '');

/** The lines of a bee's file about its tool. */
export const worksWith = (tool: AgentTool, reading: Reading): string => {
	const {adapter, agent, note} = tool;
	const params = toolEntries(tool, reading).map(([name, value]) => `${name}: ${value}`);
	return [
		`adapter: ${adapter}`,
		...(agent === undefined ? [] : [`agent: ${agent}`]),
		...(note === undefined || (agent === undefined && canKeepReading(tool, reading)) ? [] : [`# ${note}`]),
		...(params.length === 0 ? [] : [`params: {${params.join(', ')}}`]),
		`${permissionsFor(tool, reading)}${containLines}`,
	].join('\n');
};

const permissionsFor = ({agent, canAsk}: AgentTool, {asks, readsOnly}: Reading): string => {
	if (canAsk && asks) return agent === undefined ? permissionLines : permissionRules;
	if (agent === undefined) return '';
	return readsOnly ? readingLines : workingLines;
};

/** The entries of `params` that start the tool, and keep it from editing where it can be kept. */
export const toolEntries = (
	tool: AgentTool,
	reading: Reading,
): readonly (readonly [string, string | true])[] => [
	...(tool.binary === undefined ? [] : [['binary', tool.binary] as const]),
	...(canKeepReading(tool, reading) ? [['read_only', true] as const] : []),
];

const canKeepReading = ({canOnlyRead}: AgentTool, {readsOnly}: Reading): boolean =>
	readsOnly && canOnlyRead === true;

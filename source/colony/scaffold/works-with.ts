import type {AgentTool} from '../agent-tools.ts';

type Reading = {readonly readsOnly: boolean};

/** The last lines about a tool. An earlier hive did not write them. */
const containLines = `# It reaches its workspace and little else, where the machine can see to that: "hive contain show <bee>".
contain: auto
`;

/** The text without those lines, as an earlier hive wrote it. */
export const withoutContain = (text: string): string => text.replace(containLines, '');

/** The lines of a bee's file about its tool. */
export const worksWith = (tool: AgentTool, reading: Reading): string => {
	const {adapter, note} = tool;
	const params = toolEntries(tool, reading).map(([name, value]) => `${name}: ${value}`);
	return [
		`adapter: ${adapter}`,
		...(note === undefined || canKeepReading(tool, reading) ? [] : [`# ${note}`]),
		...(params.length === 0 ? [] : [`params: {${params.join(', ')}}`]),
		containLines,
	].join('\n');
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

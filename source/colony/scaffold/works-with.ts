import type {AgentTool} from '../agent-tools.ts';

/** The lines of a bee's file about its tool. */
export const worksWith = (tool: AgentTool, {readsOnly}: {readonly readsOnly: boolean}): string => {
	const {adapter, binary, note, canOnlyRead} = tool;
	const isReader = readsOnly && canOnlyRead === true;
	const params = [
		...(binary === undefined ? [] : [`binary: ${binary}`]),
		...(isReader ? ['read_only: true'] : []),
	];
	return [
		`adapter: ${adapter}`,
		...(note === undefined || isReader ? [] : [`# ${note}`]),
		...(params.length === 0 ? [] : [`params: {${params.join(', ')}}`]),
		'',
	].join('\n');
};

import {type AcpAgent, acpAgents, toolAdapterOf} from '../../colony/acp-agents.ts';
import type {Bee, Permissions} from '../../colony/colony.ts';
import {runPath} from '../../runs/layout.ts';
import {commandArgv} from '../command.ts';
import type {Invocation, Start} from '../invocation.ts';
import {mcpServerOf} from '../mcp.ts';
import {flagParam, furtherArguments, isPlanning, option, textParam} from '../params.ts';
import {promptOf} from '../program.ts';
import {resumed} from '../resume.ts';

/**
 * How adapter `acp` starts a run (docs/rules.md §8): hive's own client runs as the agent under the
 * supervisor. It starts the agent's program, which speaks the Agent Client Protocol.
 */
export const acpStart = (invocation: Invocation): Start => {
	const {bee, runDir, hive = 'hive'} = invocation;
	const server = mcpServerOf(invocation);
	const agent = agentArgv(invocation);
	return {
		argv: [
			...[hive, 'acp'],
			...option('--model', textParam(bee, 'model')),
			...option('--mode', modeOf(invocation)),
			...option('--resume', resumed(invocation)),
			...option('--permissions', JSON.stringify(permissionsOf(bee))),
			...option('--mcp', server && JSON.stringify(server)),
			...['--folder', runPath(runDir, 'spool')],
			...(agentOf(bee)?.servesNoFiles === undefined ? [] : ['--without-files']),
			...['--', ...agent],
		],
		input: promptOf(invocation),
		agent,
		...(asksUnlessTold(bee) && {env: {OPENCODE_PERMISSION: JSON.stringify(opencodeAsks)}}),
	};
};

const agentOf = ({agent}: Bee): AcpAgent | undefined => (agent === undefined ? undefined : acpAgents[agent]);

const modeOf = ({bee, contained}: Invocation): string | undefined => {
	if (isPlanning(bee)) return 'plan';
	const {mode, containedMode} = agentOf(bee) ?? {};
	return contained ? (containedMode ?? mode) : mode;
};

/** True if the agent has permissions, but asks only about what its settings name. */
const asksUnlessTold = (bee: Bee): boolean =>
	bee.agent === 'opencode' && (bee.permissions !== undefined || flagParam(bee, 'read_only', false));

/** Has OpenCode ask about what its settings do not deny, so that the permissions of the bee decide. */
const opencodeAsks = {edit: {'*': 'ask'}, bash: {'*': 'ask'}, webfetch: 'ask', websearch: 'ask'};

/** The argv of the agent's program. */
const agentArgv = (invocation: Invocation): readonly string[] => {
	const {bee, settings} = invocation;
	if (bee.command !== undefined) return commandArgv(bee.command, invocation);
	const {program, args = []} = agentOf(bee) ?? {};
	const own = program ?? settings.binary ?? toolAdapterOf(bee);
	return [textParam(bee, 'binary') ?? own, ...args, ...furtherArguments(bee)];
};

/** What its client answers to the agent's requests without a person. `read_only` denies edits. */
const permissionsOf = (bee: Bee): Permissions => {
	const {allow, ask, deny} = bee.permissions ?? {allow: [], ask: [], deny: []};
	return {allow, ask, deny: [...deny, ...(flagParam(bee, 'read_only', false) ? ['edit'] : [])]};
};

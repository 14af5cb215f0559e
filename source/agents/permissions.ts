import {acpAgents} from '../colony/acp-agents.ts';
import type {AdapterName, Bee} from '../colony/colony.ts';

/** One entry of `permissions`, parsed: `shell(git push *)`. */
export type Rule = {readonly act: string; readonly pattern?: string};

export const parseRule = (text: string): Rule => {
	const [, act = text, pattern] = /^([^(]+)\((.*)\)$/s.exec(text) ?? [];
	return pattern === undefined ? {act} : {act, pattern};
};

/** The acts with names of hive's own, and the tools of Claude Code for them. */
const claudeTools: Readonly<Record<string, readonly string[]>> = {
	edit: ['Edit', 'Write', 'NotebookEdit'],
	read: ['Read', 'Glob', 'Grep'],
	shell: ['Bash'],
	web: ['WebFetch', 'WebSearch'],
};

/** The rules in the words of Claude Code. A name that is not hive's is the tool's own. */
export const claudeRules = (rules: readonly string[]): readonly string[] =>
	rules
		.map(parseRule)
		.flatMap(({act, pattern}) =>
			(claudeTools[act] ?? [act]).map(tool =>
				pattern === undefined ? tool : `${tool}(${act === 'shell' ? prefixOf(pattern) : pattern})`,
			),
		);

/** Claude Code writes `git push *` as `git push:*`. */
const prefixOf = (pattern: string): string => pattern.replace(/ ?\*$/, ':*');

/** Adapters that can ask before a tool acts. */
const asking: ReadonlySet<AdapterName> = new Set(['acp', 'claude']);

/**
 * What cannot be enforced as it is written, in sentences for the run's warnings. Such a rule denies where the
 * adapter can deny.
 */
export const permissionWarnings = ({
	adapter,
	agent,
	permissions,
}: Pick<Bee, 'adapter' | 'agent' | 'permissions'>): readonly string[] => {
	const asksOnly = agent && acpAgents[agent].asksOnly;
	if (permissions === undefined || (asking.has(adapter) && asksOnly === undefined)) return [];
	const {ask, deny} = permissions;
	const rules = [...ask, ...deny].filter(rule => !(adapter === 'codex' && rule === 'edit'));
	if (rules.length === 0) return [];
	const reason =
		asksOnly === undefined
			? `cannot be enforced by ${adapter}, which asks and denies by its own settings`
			: `are enforced only where ${agent} asks. ${asksOnly} They name`;
	return [`"permissions" of the bee ${reason}: ${rules.join(', ')}.`];
};

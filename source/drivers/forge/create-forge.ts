import {type Forge, ForgeError, type ForgePlace} from '../../ports/forge.ts';
import {createGithubForge} from './github/github.ts';
import {createGitlabForge} from './gitlab/gitlab.ts';
import {maxAnswerBytes} from './limits.ts';
import type {DriverOptions} from './options.ts';

type Options = Pick<DriverOptions, 'userAgent'> &
	Partial<Pick<DriverOptions, 'now' | 'timeoutMs' | 'maxAnswerBytes' | 'isHasty'>>;

const drivers: Readonly<Record<ForgePlace['provider'], (options: DriverOptions) => Forge>> = {
	github: createGithubForge,
	gitlab: createGitlabForge,
};

const defaults = {now: Date.now, timeoutMs: 15_000, maxAnswerBytes, isHasty: false};

/** Opens a repository at its forge. Throws a `ForgeError` if the token could not travel there safely. */
export const createForge = (place: ForgePlace, token: string, options: Options): Forge => {
	const api = checkedApi(place.api);
	if (!isRepository(place.repository))
		throw new ForgeError('refused', 'The repository has to be named as "owner/name".');
	// A line break would begin another header.
	if (!/^[\x21-\x7e]+$/.test(token))
		throw new ForgeError('unauthorized', 'The token is empty, or has characters that no token has.');
	return drivers[place.provider]({...defaults, ...options, token, place: {...place, api}});
};

const isRepository = (name: string): boolean =>
	/^[\w.-]+(\/[\w.-]+)+$/.test(name) && !name.split('/').some(part => part === '.' || part === '..');

/** The address without a slash at its end: https, or http on loopback, and with no login in it. */
const checkedApi = (api: string): string => {
	const url = URL.canParse(api) ? new URL(api) : undefined;
	const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
	if (url === undefined || !isSafe || url.username !== '' || url.password !== '' || url.search !== '')
		throw new ForgeError(
			'refused',
			'The address of the forge has to begin with https://, or with http:// on this machine, and have no login.',
		);
	return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
};

const isLoopback = (host: string): boolean =>
	host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

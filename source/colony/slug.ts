import {createHash} from 'node:crypto';

const maxLength = 48;

export const isSlug = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,63}$/.test(text);

/**
 * Chooses a colony's name: from its origin (`owner-repo`), else its folder, else `colony` (docs/rules.md
 * §10).
 */
export const chooseSlug = (origin: string | undefined, root: string): string =>
	fromOrigin(origin ?? '') || slugOf(root.split('/').at(-1) ?? '') || 'colony';

/** The name for a further checkout on this machine: 8 hex digits of the root's SHA-256 make it unique. */
export const distinguish = (slug: string, root: string): string =>
	`${slug}-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`;

/** The last two parts of an address such as `git@host:owner/repo.git` or `https://host/owner/repo`. */
const fromOrigin = (origin: string): string => {
	const path = origin
		.trim()
		.replace(/^[a-z+]+:\/\/[^/]*/i, '')
		.replace(/^[^/]*:/, '')
		.replace(/\/+$/, '')
		.replace(/\.git$/, '');
	return slugOf(path.split('/').filter(Boolean).slice(-2).join('-'));
};

const slugOf = (text: string): string =>
	text
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.slice(0, maxLength)
		.replace(/^-+|-+$/g, '');

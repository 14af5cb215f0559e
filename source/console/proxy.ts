import {BlockList, isIP} from 'node:net';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';

const variable = 'HIVE_CONSOLE_PROXY';

/** True if the address is a trusted proxy, whose `X-Forwarded-For` counts. */
export type IsProxy = (address: string) => boolean;

/**
 * Reads HIVE_CONSOLE_PROXY: addresses and networks separated by commas, such as `10.0.0.5, 172.16.0.0/12`.
 * Without a value no proxy is trusted. Refused if an entry is not an address or network, or is the whole
 * internet.
 */
export const readProxies = (text = ''): Outcome<IsProxy> => {
	const trusted = new BlockList();
	for (const entry of text.split(',').flatMap(one => one.trim() || [])) {
		const [, written = '', length] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? [];
		const address = normalizeAddress(written);
		const family = familyOf(address);
		const bits = family === 'ipv6' ? 128 : 32;
		const prefix = length === undefined ? bits : Number(length);
		if (family === undefined || prefix > bits) return refuseProxy(`"${entry}" is no address or network.`);
		if (prefix === 0)
			return refuseProxy(`"${entry}" has every address in it, so every caller would be a proxy.`);
		trusted.addSubnet(address, prefix, family);
	}
	return accepted(address => {
		const family = familyOf(address);
		return family !== undefined && trusted.check(address, family);
	});
};

const refuseProxy = (message: string) =>
	refuse('invalid_config', {
		message: `${variable}: ${message}`,
		hint: 'Name the proxies by address or network, with commas between: 10.0.0.5, 172.16.0.0/12.',
	});

/**
 * The address of a caller. If the connection comes from a trusted proxy, `X-Forwarded-For` is read from the
 * right. The first address that is not a trusted proxy counts. An invalid address ends the reading. From any
 * other peer the header is ignored.
 */
export const callerAddress = (
	{remote, forwarded}: {readonly remote: string; readonly forwarded: string | undefined},
	isProxy: IsProxy,
): string => {
	let address = normalizeAddress(remote);
	for (const entry of (forwarded ?? '').split(',').toReversed()) {
		if (!isProxy(address) || isIP(normalizeAddress(entry)) === 0) break;
		address = normalizeAddress(entry);
	}
	return address;
};

/**
 * The key under which an address is counted. For IPv6 it is the /64 network, which usually belongs to one
 * caller.
 */
export const rateLimitKey = (address: string): string =>
	isIP(address) === 6 ? groupsOf(address).slice(0, 4).join(':') : address;

/** The address without a zone. An IPv4 address that a dual-stack socket reports as IPv6 is converted back. */
const normalizeAddress = (address: string): string => {
	const [bare = ''] = address.trim().toLowerCase().split('%');
	return bare.replace(/^::ffff:(?=\d{1,3}(?:\.\d{1,3}){3}$)/, '');
};

const familyOf = (address: string): 'ipv4' | 'ipv6' | undefined =>
	(({4: 'ipv4', 6: 'ipv6'}) as const)[isIP(address)];

/** The eight groups of an IPv6 address, without leading zeros. */
const groupsOf = (address: string): readonly string[] => {
	const [before = [], after = []] = new URL(`http://[${address}]`).hostname
		.slice(1, -1)
		.split('::')
		.map(part => part.split(':').filter(Boolean));
	return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
};

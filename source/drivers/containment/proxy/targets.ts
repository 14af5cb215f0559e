import {BlockList, isIP} from 'node:net';
import type {HostRule} from '../../../domain/host-rule.ts';

/** Addresses of this machine and its link. Only a rule that names them reaches them. */
const own = new BlockList();
for (const [net, bits] of [
	...([
		['0.0.0.0', 8],
		['127.0.0.0', 8],
		['169.254.0.0', 16],
		['224.0.0.0', 3],
	] as const),
])
	own.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
	...([
		['::', 127],
		['fe80::', 10],
		['ff00::', 8],
		['64:ff9b::', 96],
		['2002::', 16],
	] as const),
])
	own.addSubnet(net, bits, 'ipv6');

/** Addresses of private networks. A rule with a suffix does not reach them. */
const privates = new BlockList();
for (const [net, bits] of [
	...([
		['10.0.0.0', 8],
		['172.16.0.0', 12],
		['192.168.0.0', 16],
		['100.64.0.0', 10],
	] as const),
])
	privates.addSubnet(net, bits, 'ipv4');
privates.addSubnet('fc00::', 7, 'ipv6');

/**
 * True if a host's address may be reached by its rule. A name could lead anywhere, so the address is checked
 * and then used: the name is not looked up again.
 */
export const mayReach = ({host}: HostRule, address: string): boolean => {
	if (host === address || host === 'localhost') return true;
	const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
	// Node finds IPv4 addresses that are written as IPv6 in the lists of IPv4.
	if (own.check(address, family)) return false;
	return !host.startsWith('.') || !privates.check(address, family);
};

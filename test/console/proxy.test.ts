import {expect, it} from 'vitest';
import {callerAddress, rateLimitKey, readProxies} from '../../source/console/proxy.ts';
import {expectAccepted} from '../../source/domain/errors.ts';

it.each([
	...['10.0.0', 'proxy.example', 'http://10.0.0.5', '10.0.0.5:8080', '10.0.0.0/33', '10.0.0.0/-1'],
	...['fe80::1%eth0', '2001:db8::/129', '10.0.0.5 10.0.0.6', '*', 'true', '300.1.1.1', '10.0.0.5,x'],
	...['0.0.0.0/0', '::/0', '10.0.0.5, 0.0.0.0/0'],
])('HIVE_CONSOLE_PROXY is refused with a message if it is %s', text => {
	expect(readProxies(text)).toMatchObject({
		ok: false,
		refusal: {
			code: 'invalid_config',
			message: expect.stringMatching(/^HIVE_CONSOLE_PROXY: ".+" (is|has) .*\.$/),
		},
	});
});

it.each([
	// Columns: the variable, the address of the connection, the header, the address of the caller.
	['', '10.0.0.5', '9.9.9.9', '10.0.0.5'],
	[undefined, '127.0.0.1', '9.9.9.9', '127.0.0.1'],
	[' , ', '127.0.0.1', '9.9.9.9', '127.0.0.1'],
	['10.0.0.5', '10.0.0.5', '9.9.9.9', '9.9.9.9'],
	['10.0.0.5', '10.0.0.6', '9.9.9.9', '10.0.0.6'],
	['10.0.0.5', '10.0.0.5', undefined, '10.0.0.5'],
	['10.0.0.5', '10.0.0.5', '', '10.0.0.5'],
	// A caller can send any text before the part that the proxy appends.
	['10.0.0.5', '10.0.0.5', '1.1.1.1, 10.0.0.5, 8.8.8.8', '8.8.8.8'],
	['10.0.0.5', '10.0.0.5', '1.1.1.1,unknown', '10.0.0.5'],
	['10.0.0.5', '10.0.0.5', 'unknown, 8.8.8.8', '8.8.8.8'],
	['10.0.0.0/8, 192.168.1.1', '192.168.1.1', '8.8.8.8, 10.1.2.3', '8.8.8.8'],
	['10.0.0.0/8', '10.0.0.1', '10.0.0.9, 10.0.0.8', '10.0.0.9'],
	['10.0.0.5', '::ffff:10.0.0.5', '::ffff:8.8.8.8', '8.8.8.8'],
	['::ffff:10.0.0.5', '10.0.0.5', '8.8.8.8', '8.8.8.8'],
	['fd00::/8', 'fd00::5', '2001:DB8::1', '2001:db8::1'],
	['fe80::/10', 'fe80::1%eth0', '8.8.8.8', '8.8.8.8'],
	['10.0.0.5', '', '8.8.8.8', ''],
])('with proxies %j, a connection of %s with header %j comes from %s', (text, remote, forwarded, address) => {
	const isProxy = expectAccepted(readProxies(text));
	expect(callerAddress({remote, forwarded}, isProxy)).toBe(address);
});

it.each([
	['8.8.8.8', '8.8.8.8'],
	['2001:db8:0:7::1', '2001:db8:0:7'],
	['2001:db8::1', '2001:db8:0:0'],
	['2001:0db8:0000:0000:ffff::', '2001:db8:0:0'],
	['::1', '0:0:0:0'],
	['::', '0:0:0:0'],
	['64:ff9b::192.0.2.33', '64:ff9b:0:0'],
	['', ''],
])('the address %j is counted as %j', (address, counted) => {
	expect(rateLimitKey(address)).toBe(counted);
});

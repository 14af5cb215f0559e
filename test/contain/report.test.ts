import {expect, it} from 'vitest';
import {deniedIn} from '../../source/dispatch/containment/denied.ts';

it.each([
	["touch: cannot touch '/home/ada/x': Read-only file system", ['/home/ada/x']],
	['sh: 1: cannot create /etc/y: Permission denied', ['/etc/y']],
	["Error: EROFS: read-only file system, open '/home/ada/.npmrc'", ['/home/ada/.npmrc']],
	['/usr/bin/git: could not lock /repo/.git/config: Read-only file system', ['/repo/.git/config']],
	['{"text":"one\\ncat: ~/.ssh/id: Permission denied\\ntwo /not/this"}', ['~/.ssh/id']],
	['curl: (6) Could not resolve host: example.com', ['the network']],
	['connect: Network is unreachable\nconnect: Network is unreachable', ['the network']],
	['everything works in /home/ada', []],
	['relative/path: Permission denied', []],
])('what %j says was denied is found', (text, denied) => {
	expect(deniedIn(text)).toEqual(denied);
});

it('a hostile output costs little to read', () => {
	const text = `${'/'.repeat(500_000)}: Permission denied\n${'a/b: Permission denied '.repeat(50_000)}\n`;
	const many = Array.from({length: 5000}, (_, index) => `/x/${index}: Permission denied`).join('\n');
	expect(deniedIn(text + many).length).toBeLessThanOrEqual(1000);
});

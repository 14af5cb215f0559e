import {join} from 'node:path';
import {expect, it} from 'vitest';
import {homePlaces, ownFolders} from '../../source/dispatch/containment/home-places.ts';
import {inOrder, type Place, placeAt} from '../../source/domain/containment.ts';
import {bubblewrapArgv} from '../../source/drivers/containment/bubblewrap.ts';
import {sandboxProfile} from '../../source/drivers/containment/sandbox-exec.ts';

const places: readonly Place[] = [
	{path: '/home/ada/.ssh', as: 'hide'},
	{path: '/home/ada', as: 'write'},
	{path: '/home/ada/.netrc', as: 'hide', isFile: true},
	{path: '/tmp', as: 'write', from: '/runs/tmp'},
];
const profile = {places, network: 'none' as const, workspace: '/work'};

it('a folder is laid before what is in it, and of two places with one path the later one counts', () => {
	const again: Place = {path: '/home/ada/.ssh', as: 'read'};
	expect(inOrder([...places, again]).map(({path, as}) => `${as} ${path}`)).toEqual([
		'write /tmp',
		'write /home/ada',
		'hide /home/ada/.netrc',
		'read /home/ada/.ssh',
	]);
});

it('bubblewrap mounts the places in order, and makes hidden folders read-only last', () => {
	const argv = bubblewrapArgv({bwrap: '/usr/bin/bwrap', perl: '/usr/bin/perl', proxy: ['proxy']}, profile, [
		'make',
		'test',
	]);
	const mounts = argv.slice(argv.indexOf('/proc') + 1, argv.indexOf('--'));
	expect(mounts).toEqual([
		...['--bind', '/runs/tmp', '/tmp', '--bind', '/home/ada', '/home/ada'],
		...['--ro-bind', '/dev/null', '/home/ada/.netrc', '--tmpfs', '/home/ada/.ssh'],
		...['--remount-ro', '/home/ada/.ssh', '--chdir', '/work'],
	]);
	expect(argv).toContain('--unshare-net');
	expect(argv.slice(-2)).toEqual(['make', 'test']);
});

it('a tool has its own folders in the home, and the trace has what it writes among its settings', () => {
	const home = '/home/ada';
	const places = (adapter: 'opencode' | 'codex') =>
		homePlaces({home, caches: '/runs/t/caches', adapter, kindOf: () => 'folder'});
	const at = (adapter: 'opencode' | 'codex', path: string) =>
		placeAt(inOrder(places(adapter)), join(home, path));
	expect(at('opencode', '.config/opencode/.gitignore')).toMatchObject({as: 'write', after: 'kept'});
	expect(at('opencode', '.config/opencode/plugin/a.js')).toMatchObject({as: 'read'});
	expect(at('opencode', '.local/share/opencode/log')).toMatchObject({as: 'write'});
	expect(at('opencode', '.codex/auth.json')).toMatchObject({as: 'hide'});
	expect(at('codex', '.config/opencode/opencode.json')).toMatchObject({as: 'hide'});
	expect(at('codex', '.codex/config.toml')).toMatchObject({as: 'read'});
	expect(ownFolders({home, adapter: 'codex'})).toEqual(['/home/ada/.codex']);
});

it('sandbox-exec gets rules of which the last one decides', () => {
	const rules = sandboxProfile(profile).split('\n').slice(-5, -1);
	expect(rules).toEqual([
		'(allow file-read* file-write* (subpath "/runs/tmp"))',
		'(allow file-read* file-write* (subpath "/home/ada"))',
		'(deny file-read* file-write* (literal "/home/ada/.netrc"))',
		'(deny file-read* file-write* (subpath "/home/ada/.ssh"))',
	]);
});

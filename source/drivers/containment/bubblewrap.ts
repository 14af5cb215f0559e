import {inOrder, isWithin, type Place, type Profile, placeAt} from '../../domain/containment.ts';
import {socketInside} from './proxy/run-inside.ts';
import {socketPlaceholder} from './proxy/run-outside.ts';

/** The programs that the argv names, absolute. */
export type BubblewrapPrograms = {
	readonly bwrap: string;
	readonly perl: string;
	/** The argv of the proxy for a list of hosts (bin/contain-proxy.ts). */
	readonly proxy: readonly string[];
};

/**
 * Signals for the process group. The launcher outside ignores them, since its end would kill the program
 * inside, which has its own way to end. The program inside gets them as usual.
 */
const signals = 'TERM INT HUP QUIT';

/** A shell starts faster than perl, and cannot do the opposite. */
const ignoring = ['/bin/sh', '-c', `trap '' ${signals}; exec "$@"`, 'sh'];

/** Ends like the supervisor if there is no such program. */
const receiving = `$SIG{$_} = 'DEFAULT' for qw(${signals}); exec {$ARGV[0]} @ARGV; my $no = $! + 0; print STDERR "$ARGV[0]: $!\\n"; exit($no == 2 ? 127 : 126)`;

/**
 * Namespaces of its own for processes, users, and what System V shares. It ends with its supervisor. Without
 * the last option a superuser could remove mounts.
 */
const namespaces = [
	...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try', '--die-with-parent'],
	...['--cap-drop', 'ALL'],
];

/** The argv of a program in a profile. Everything that no place names is read-only. */
export const bubblewrapArgv = (
	{bwrap, perl, proxy}: BubblewrapPrograms,
	{places, network, askedHosts = '', workspace}: Profile,
	argv: readonly string[],
): readonly string[] => {
	const ordered = withoutNeedless(inOrder(places));
	const hidden = ordered.filter(({as, isFile}) => as === 'hide' && isFile !== true);
	const isProxied = typeof network === 'object';
	return [
		...(isProxied ? [...proxy, 'outside', askedHosts, JSON.stringify(network)] : []),
		...[...ignoring, bwrap, ...namespaces],
		...(network === 'all' ? [] : ['--unshare-net']),
		...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
		...ordered.flatMap(mountOf),
		// The end of the proxy inside is needed wherever hive is installed.
		...(isProxied ? proxy.slice(1).flatMap(path => ['--ro-bind', path, path]) : []),
		...(isProxied ? ['--ro-bind', socketPlaceholder, socketInside] : []),
		// Last, since a mount point inside has to be made first.
		...hidden.flatMap(({path}) => ['--remount-ro', path]),
		...['--chdir', workspace, '--', ...(isProxied ? [...proxy, 'inside'] : [])],
		...[perl, '-f', '-e', receiving, ...argv],
	];
};

/**
 * Each mount costs time at the start. Needless are what can only be read where all around it can only be read
 * too, and what is hidden in something hidden.
 */
const withoutNeedless = (ordered: readonly Place[]): readonly Place[] => {
	const kept: Place[] = [];
	for (const place of ordered) {
		const around = placeAt(kept, place.path);
		const changes =
			place.as === 'read' && place.from === undefined
				? isReplaced(place.path, around)
				: place.as !== 'hide' || around?.as !== 'hide';
		if (changes) kept.push(place);
	}
	return kept;
};

/** Folders of the system that bubblewrap makes anew. Folders of files may be below `/dev/shm`. */
const madeAnew = ['/dev', '/proc'];

/** True if the path would not be there, or be writable, because of what is laid around it. */
const isReplaced = (path: string, around: Place | undefined): boolean =>
	around === undefined
		? madeAnew.some(folder => isWithin(path, folder))
		: around.as !== 'read' || around.from !== undefined;

const mountOf = ({path, as, from = path, isFile}: Place): readonly string[] => {
	if (as === 'read') return ['--ro-bind', from, path];
	if (as === 'write') return ['--bind', from, path];
	return isFile ? ['--ro-bind', '/dev/null', path] : ['--tmpfs', path];
};

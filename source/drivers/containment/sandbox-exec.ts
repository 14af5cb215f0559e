import {inOrder, type Profile} from '../../domain/containment.ts';

/** Folders that every program on macOS has to write to. */
const devices = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/ptmx'];

/**
 * The profile as `sandbox-exec` reads it. Of the rules that match, the last one decides. Untried: it is
 * tested as a text only.
 */
export const sandboxProfile = ({places, network}: Profile): string => {
	const rules = inOrder(places).flatMap(({path, as, from = path, isFile}) => {
		const what = `(${isFile ? 'literal' : 'subpath'} ${quoted(as === 'hide' ? path : from)})`;
		if (as === 'hide') return [`(deny file-read* file-write* ${what})`];
		return as === 'write' ? [`(allow file-read* file-write* ${what})`] : readRules(what);
	});
	return [
		'(version 1)',
		'(allow default)',
		'(deny file-write*)',
		...devices.map(path => `(allow file-write* (literal ${quoted(path)}))`),
		'(deny signal (target others))',
		...(network !== 'all' ? ['(deny network*)', '(allow network* (local ip "localhost:*"))'] : []),
		...rules,
		'',
	].join('\n');
};

const readRules = (what: string): readonly string[] => [
	`(allow file-read* ${what})`,
	`(deny file-write* ${what})`,
];

const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&')}"`;

export const sandboxExecArgv = (profile: Profile, argv: readonly string[]): readonly string[] => [
	...['/usr/bin/sandbox-exec', '-p', sandboxProfile(profile), ...argv],
];

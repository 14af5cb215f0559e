import {expect, test} from 'vitest';
import packageJson from '../../package.json';
import {faultsOf, type Release} from './release-checks.ts';

const file = (path: string, mode = 0o755) => ({path, size: 1, mode});

const good: Release = {
	manifest: packageJson,
	locked: packageJson,
	changelog: `# Changelog\n\n## [Unreleased]\n\n## [${packageJson.version}] - 2026-01-01\n\n- A thing\n`,
	files: ['LICENSE', 'readme.md', 'CHANGELOG.md', 'package.json', 'dist/hive.cjs', 'dist/hive.1'].map(path =>
		file(path),
	),
	unpackedSize: 1_000_000,
	checkout: '/home/ada/hive',
	contentsOf: () => '',
	isDryRun: false,
};

test('a release without fault has none', () => {
	expect(faultsOf(good)).toEqual([]);
});

test.each<[string, Partial<Release>, string]>([
	['a private package', {manifest: {...packageJson, private: true}}, 'package.json has "private"'],
	[
		'a name without scope',
		{manifest: {...packageJson, name: 'hive'}, locked: {...packageJson, name: 'hive'}},
		'no scope',
	],
	[
		'a version that is none',
		{manifest: {...packageJson, version: '1'}, locked: {...packageJson, version: '1'}},
		'not semantic',
	],
	['another version in the lock', {locked: {...packageJson, version: '0.0.1'}}, 'package-lock.json is of'],
	['no repository', {manifest: {...packageJson, repository: undefined}}, 'no repository'],
	['no provenance', {manifest: {...packageJson, publishConfig: {access: 'public'}}}, 'with provenance'],
	['no entry in the changelog', {changelog: '## [Unreleased]\n\n- A thing\n'}, 'has no entries for'],
	[
		'a file that does not belong',
		{files: [...good.files, file('dist/main.cjs.map')]},
		'The package has dist/main.cjs.map.',
	],
	['no manual page', {files: good.files.filter(({path}) => path !== 'dist/hive.1')}, 'lacks dist/hive.1'],
	['a command that cannot run', {files: good.files.map(({path}) => file(path, 0o644))}, 'not executable'],
	['a path of the machine', {contentsOf: () => 'at /home/ada/hive/source'}, 'names /home/ada/hive'],
	['too many bytes', {unpackedSize: 20_000_000}, 'more than'],
])('a release with %s is refused', (_, changed, words) => {
	expect(faultsOf({...good, ...changed}).join('\n')).toContain(words);
});

test('a dry run takes what is not released yet for the entries', () => {
	const changelog = '## [Unreleased]\n\n- A thing\n';
	expect(faultsOf({...good, changelog, isDryRun: true})).toEqual([]);
	expect(faultsOf({...good, changelog: '## [Unreleased]\n', isDryRun: true})).toEqual([
		'CHANGELOG.md has no entries to release.',
	]);
});

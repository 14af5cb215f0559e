/** What a release is checked on. */
export type Release = {
	readonly manifest: Readonly<Record<string, unknown>>;
	/** Name and version in the lock file. */
	readonly locked: {readonly name?: string; readonly version?: string};
	readonly changelog: string;
	/** The files of the package, with their sizes in bytes. */
	readonly files: readonly {readonly path: string; readonly size: number; readonly mode: number}[];
	/** Bytes of all files. */
	readonly unpackedSize: number;
	/** The checkout, which no file may name. */
	readonly checkout: string;
	readonly contentsOf: (path: string) => string;
	/** True if nothing is published: the changelog may still say "Unreleased". */
	readonly isDryRun: boolean;
};

/** A little more than it has: a larger package is a mistake, or a decision. */
const maxUnpackedBytes = 10_000_000;

const expectedFiles =
	/^(?:package\.json|readme\.md|LICENSE|CHANGELOG\.md|dist\/(?:[\w-]+\.cjs|bin\/hive|hive\.1|supervisor\.pl|third-party-licences\.txt|demo\/.+))$/;
const requiredFiles = ['LICENSE', 'readme.md', 'CHANGELOG.md', 'dist/hive.cjs', 'dist/hive.1'];

/** The faults of a release, as sentences. */
export const faultsOf = (release: Release): readonly string[] => [
	...faultsOfManifest(release),
	...faultsOfChangelog(release),
	...faultsOfFiles(release),
];

const faultsOfManifest = ({manifest, locked}: Release): string[] => {
	const {name, version, license, repository, engines, os, bin, publishConfig} = manifest;
	const faults: (readonly [isFault: boolean, words: string])[] = [
		[manifest.private !== undefined, 'package.json has "private", which npm does not publish.'],
		[!/^@[\w-]+\/[\w-]+$/.test(String(name)), `package.json has the name ${name}, which has no scope.`],
		[
			!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(String(version)),
			`package.json has the version ${version}, which is not semantic.`,
		],
		[
			locked.name !== name || locked.version !== version,
			`package-lock.json is of ${locked.name} ${locked.version}, package.json of ${name} ${version}.`,
		],
		[typeof license !== 'string', 'package.json has no license.'],
		[
			Object(publishConfig).access !== 'public' || Object(publishConfig).provenance !== true,
			'publishConfig in package.json has to be public, with provenance.',
		],
		[
			!/^git\+https:\/\//.test(String(Object(repository).url)),
			'package.json has no repository, which provenance needs.',
		],
		[Object(engines).node === undefined, 'package.json does not say which Node it needs.'],
		[!Array.isArray(os), 'package.json does not say on which systems it runs.'],
		[Object(bin).hive !== 'dist/hive.cjs', 'package.json has no command "hive".'],
	];
	return faults.flatMap(([isFault, words]) => (isFault ? [words] : []));
};

const faultsOfChangelog = ({manifest, changelog, isDryRun}: Release): string[] => {
	const sections = changelog.split(/^## /m).slice(1);
	const sectionOf = (title: string) => sections.find(section => section.startsWith(`[${title}]`));
	const hasEntries = (section: string | undefined) => /^- /m.test(section ?? '');
	const {version} = manifest;
	if (hasEntries(sectionOf(String(version)))) return [];
	if (!isDryRun) return [`CHANGELOG.md has no entries for ${version}.`];
	return hasEntries(sectionOf('Unreleased')) ? [] : ['CHANGELOG.md has no entries to release.'];
};

const faultsOfFiles = ({files, unpackedSize, checkout, contentsOf}: Release): string[] => {
	const paths = files.map(({path}) => path);
	const command = files.find(({path}) => path === 'dist/hive.cjs');
	return [
		...requiredFiles.filter(path => !paths.includes(path)).map(path => `The package lacks ${path}.`),
		...paths.filter(path => !expectedFiles.test(path)).map(path => `The package has ${path}.`),
		...(command !== undefined && (command.mode & 0o111) === 0 ? ['dist/hive.cjs is not executable.'] : []),
		...(unpackedSize > maxUnpackedBytes
			? [`The package has ${unpackedSize} bytes, more than ${maxUnpackedBytes}.`]
			: []),
		...paths.filter(path => contentsOf(path).includes(checkout)).map(path => `${path} names ${checkout}.`),
	];
};

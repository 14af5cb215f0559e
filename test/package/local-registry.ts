import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import path from 'node:path';

/** A package as a registry serves it. */
type Served = {readonly file: string; readonly manifest: {readonly name: string; readonly version: string}};

/**
 * Starts a registry that serves the installed packages of these names, so that npm needs no other machine.
 * @param folder where the tarballs are made
 * @param more packages that are already packed in that folder
 */
export const startRegistry = async (
	names: readonly string[],
	folder: string,
	more: readonly Served[] = [],
): Promise<{readonly url: string; readonly close: () => void}> => {
	const installed = names.map((name): Served => {
		const from = path.join('node_modules', name);
		const manifest = JSON.parse(readFileSync(path.join(from, 'package.json'), 'utf8'));
		return {file: pack(from, folder), manifest};
	});
	const served = new Map([...installed, ...more].map(each => [each.manifest.name, each]));
	const server = createServer((request, response) => {
		const name = decodeURIComponent(request.url?.slice(1) ?? '');
		if (name.endsWith('.tgz')) return response.end(readFileSync(path.join(folder, path.basename(name))));
		const found = served.get(name);
		if (found === undefined) return response.writeHead(404).end('{}');
		const {file, manifest} = found;
		const {version} = manifest;
		const dist = {tarball: `http://${request.headers.host}/${path.basename(file)}`};
		response.end(
			JSON.stringify({name, 'dist-tags': {latest: version}, versions: {[version]: {...manifest, dist}}}),
		);
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const {port} = server.address() as AddressInfo;
	return {url: `http://127.0.0.1:${port}/`, close: () => server.close()};
};

/** The packages that hive needs beside its bundles, on this platform. */
export const neededPackages = [
	...['@photostructure/sqlite', 'node-addon-api', 'node-gyp-build', '@lydell/node-pty'],
	`@lydell/node-pty-${process.platform}-${process.arch}`,
];

type Packed = {
	/** Path of the tarball. */
	readonly file: string;
	readonly files: readonly {readonly path: string; readonly size: number; readonly mode: number}[];
	/** Bytes. */
	readonly unpackedSize: number;
};

/** Packs a package folder with npm. */
export const packed = (source: string, folder: string, ...options: readonly string[]): Packed => {
	const said = execFileSync(
		'npm',
		['pack', path.resolve(source), '--json', '--pack-destination', folder, ...options],
		{
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		},
	);
	const [{filename, files, unpackedSize}] = JSON.parse(said.slice(said.indexOf('[')));
	return {file: path.join(folder, filename), files, unpackedSize};
};

/** Packs a package folder with npm and returns the path of the tarball. */
export const pack = (source: string, folder: string, ...options: readonly string[]): string =>
	packed(source, folder, ...options).file;

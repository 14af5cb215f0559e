import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import path from 'node:path';

/**
 * Starts a registry that serves the installed packages of these names, so that npm needs no other machine.
 * @param folder where the tarballs are made
 */
export const startRegistry = async (names: readonly string[], folder: string) => {
	const tarballs = new Map(names.map(name => [name, pack(path.join('node_modules', name), folder)]));
	const server = createServer((request, response) => {
		const name = decodeURIComponent(request.url?.slice(1) ?? '');
		if (name.endsWith('.tgz')) return response.end(readFileSync(path.join(folder, name)));
		const file = tarballs.get(name);
		if (file === undefined) return response.writeHead(404).end('{}');
		const manifest = JSON.parse(readFileSync(path.join('node_modules', name, 'package.json'), 'utf8'));
		const tarball = `http://${request.headers.host}/${path.basename(file)}`;
		const version = {...manifest, dist: {tarball}};
		response.end(
			JSON.stringify({
				name,
				'dist-tags': {latest: manifest.version},
				versions: {[manifest.version]: version},
			}),
		);
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const {port} = server.address() as AddressInfo;
	return {url: `http://127.0.0.1:${port}/`, close: () => server.close()};
};

/** Packs a package folder with npm and returns the path of the tarball. */
export const pack = (source: string, folder: string, ...options: readonly string[]): string => {
	const said = execFileSync(
		'npm',
		['pack', path.resolve(source), '--json', '--pack-destination', folder, ...options],
		{
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		},
	);
	const [made] = JSON.parse(said.slice(said.indexOf('[')));
	return path.join(folder, made.filename);
};

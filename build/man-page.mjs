// The manual page, made from the declarations of the commands.
import {rm} from 'node:fs/promises';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {build} from 'esbuild';

const entry = `
export {commandGroups} from './source/cli/commands.ts';
export {loadGroups} from './source/cli/describe.ts';
export {renderManPage} from './source/cli/man-page.ts';
`;

/** The text of hive(1), for this version. */
export const manPage = async version => {
	const outfile = path.resolve('node_modules/.hive-man', `${process.pid}.mjs`);
	await build({
		stdin: {contents: entry, resolveDir: process.cwd(), loader: 'ts'},
		...{bundle: true, platform: 'node', format: 'esm', packages: 'external', outfile, logLevel: 'warning'},
	});
	try {
		const {commandGroups, loadGroups, renderManPage} = await import(pathToFileURL(outfile).href);
		return renderManPage(await loadGroups(commandGroups), version);
	} finally {
		await rm(outfile);
	}
};

import {mkdir, mkdtemp, realpath, rm} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join, resolve} from 'node:path';
import {parseArgs} from 'node:util';
import type {Headless} from './headless.ts';
import {install} from './install.ts';

/** A row of the table, with its facts and faults. */
type Row = {readonly tool: string; readonly facts?: readonly string[]; readonly faults: readonly string[]};

/**
 * Installs the real agent tools, proves something of each tool on the command line, and prints a table.
 * @param tools those that can be chosen
 * @param nothing the row of a tool that could not be tried
 */
export const proveEach = async <Proof extends Row>(
	tools: readonly Headless[],
	prove: (
		tool: Headless,
		where: {readonly installed: string; readonly home: string; readonly command: string},
	) => Promise<Proof>,
	nothing: Omit<Proof, keyof Row>,
): Promise<void> => {
	const {values, positionals} = parseArgs({
		allowPositionals: true,
		options: {
			command: {type: 'string', default: 'dist/hive.cjs'},
			/** A folder that keeps the tools for the next run. */
			installed: {type: 'string'},
		},
	});
	const chosen = tools.filter(({name}) => positionals.length === 0 || positionals.includes(name));
	// Not below /tmp or /var/tmp: sandboxes let all programs write there, and a contained run has its own.
	const folder = await realpath(await mkdtemp(join(homedir(), '.hive-agents-')));
	const installed = resolve(values.installed ?? join(folder, 'installed'));
	try {
		await install(
			installed,
			tools.flatMap(tool => [tool.package, ...(tool.packages ?? [])]),
		);
		const proofs: Row[] = [];
		for (const tool of chosen) {
			const home = join(folder, tool.name);
			await mkdir(home);
			const proof = prove(tool, {installed, home, command: resolve(values.command)});
			proofs.push(
				await proof.catch((error: unknown) => ({tool: tool.name, ...nothing, faults: [String(error)]})),
			);
		}
		console.table(proofs.map(({facts: _, faults, ...proof}) => ({...proof, faults: faults.length})));
		for (const {tool, facts = [], faults} of proofs) {
			for (const fact of facts) console.log(`${tool}: ${fact}`);
			for (const fault of faults) console.log(`${tool}: FAULT: ${fault}`);
		}
		if (proofs.some(({faults}) => faults.length > 0)) process.exitCode = 1;
	} finally {
		await rm(folder, {recursive: true, force: true, maxRetries: 5});
	}
};

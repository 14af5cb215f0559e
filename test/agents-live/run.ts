import {mkdir, mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {proveBytes} from './byte-proof.ts';
import {install} from './install.ts';
import type {Proof} from './proof.ts';
import {proveSession} from './session-proof.ts';
import {type Tool, tools} from './tools.ts';

/**
 * Real agent tools from the npm registry, with a stand-in model and the built command: `node run.mjs claude
 * --step 97`.
 */
const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		step: {type: 'string', default: '97'},
		command: {type: 'string', default: 'dist/hive.cjs'},
		/** A folder that keeps the tools for the next run. */
		installed: {type: 'string'},
	},
});
const chosen = tools.filter(({name}) => positionals.length === 0 || positionals.includes(name));
const folder = await realpath(await mkdtemp(join(tmpdir(), 'hive-agents-')));

const installed = resolve(values.installed ?? join(folder, 'installed'));

const prove = async (tool: Tool): Promise<boolean> => {
	const [home, workspace] = [join(folder, tool.name, 'home'), join(folder, tool.name, 'work')];
	for (const path of [home, workspace]) await mkdir(path, {recursive: true});
	const proofs: (() => Promise<Proof>)[] = [
		() => proveBytes(tool, {installed, home, workspace}, Number(values.step)),
		() => proveSession(tool, installed, resolve(values.command)),
	];
	let isProved = true;
	for (const proof of proofs) {
		const {facts, faults} = await proof().catch((error: unknown) => ({facts: [], faults: [String(error)]}));
		for (const fact of facts) console.log(`${tool.package}: ${fact}`);
		for (const fault of faults) console.log(`${tool.package}: FAULT: ${fault}`);
		if (faults.length > 0) isProved = false;
	}
	return isProved;
};

try {
	await install(
		installed,
		chosen.map(tool => tool.package),
	);
	for (const tool of chosen) if (!(await prove(tool))) process.exitCode = 1;
} finally {
	await rm(folder, {recursive: true, force: true, maxRetries: 5});
}

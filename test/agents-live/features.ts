import {mkdir, mkdtemp, realpath, rm} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {type FeatureProof, proveFeature} from './feature-proof.ts';
import {type Headless, headlessTools} from './headless.ts';
import {install} from './install.ts';

/** A feature through each real agent tool, from the request to the merge: `node features.mjs claude --installed ~/.cache/hive-agents`. */
const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		command: {type: 'string', default: 'dist/hive.cjs'},
		/** A folder where the tools stay for the next time. */
		installed: {type: 'string'},
	},
});
const chosen = headlessTools.filter(({name}) => positionals.length === 0 || positionals.includes(name));
// Not below /tmp: sandboxes let everybody write there.
const folder = await realpath(await mkdtemp('/var/tmp/hive-agents-'));
const installed = resolve(values.installed ?? join(folder, 'installed'));

const prove = async (tool: Headless): Promise<FeatureProof> => {
	const home = join(folder, tool.name);
	await mkdir(home);
	return proveFeature(tool, {installed, home, command: resolve(values.command)}).catch((error: unknown) => ({
		...{tool: tool.name, merged: false, verdict: false, log: 0, tokens: 0, cost: '-', seconds: 0},
		faults: [String(error)],
	}));
};

try {
	await install(
		installed,
		headlessTools.map(tool => tool.package),
	);
	const proofs: FeatureProof[] = [];
	for (const tool of chosen) proofs.push(await prove(tool));
	console.table(proofs.map(({faults, ...proof}) => ({...proof, faults: faults.length})));
	for (const {tool, faults} of proofs) for (const fault of faults) console.log(`${tool}: FAULT: ${fault}`);
	if (proofs.some(({faults}) => faults.length > 0)) process.exitCode = 1;
} finally {
	await rm(folder, {recursive: true, force: true, maxRetries: 5});
}

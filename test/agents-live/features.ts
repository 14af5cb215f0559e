import {proveFeature} from './feature-proof.ts';
import {headlessTools} from './headless.ts';
import {proveEach} from './prove-each.ts';

/**
 * A feature through each real agent tool, from the request to the merge: `node features.mjs claude
 * --installed ~/.cache/hive-agents`.
 */
await proveEach(headlessTools, proveFeature, {
	merged: false,
	verdict: false,
	resumed: false,
	log: 0,
	tokens: 0,
	cost: '-',
	seconds: 0,
});

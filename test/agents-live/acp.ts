import {proveAcp} from './acp-proof.ts';
import {acpLiveTools} from './acp-tools.ts';
import {proveEach} from './prove-each.ts';

/**
 * Each agent through the Agent Client Protocol, as `hive init --acp` sets it up: `node acp.mjs codex
 * --installed ~/.cache/hive-acp`.
 */
await proveEach(acpLiveTools, proveAcp, {
	merged: false,
	resumed: false,
	granted: false,
	denied: false,
	crashed: false,
	large: false,
	peakMb: 0,
	seconds: 0,
});

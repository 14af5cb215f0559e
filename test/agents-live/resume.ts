import {headlessTools} from './headless.ts';
import {proveEach} from './prove-each.ts';
import {proveResume} from './resume-proof.ts';

/**
 * Each real agent tool resumes its own conversation: `node resume.mjs claude --installed
 * ~/.cache/hive-agents`.
 */
await proveEach(headlessTools, proveResume, {
	heard: false,
	edited: false,
	emitted: false,
	outside: '-',
	id: '-',
	afterLimit: false,
	unknown: '-',
	seconds: 0,
});

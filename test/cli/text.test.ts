import {describe, expect, it} from 'vitest';
import {wantsColor} from '../../source/cli/text.ts';

describe('coloured output', () => {
	it.each([
		['on a terminal', 'auto', {TERM: 'xterm'}, true, true],
		['not in a pipe', 'auto', {TERM: 'xterm'}, false, false],
		['not on a dumb terminal', 'auto', {TERM: 'dumb'}, true, false],
		['not with NO_COLOR', 'auto', {NO_COLOR: '1', FORCE_COLOR: '1'}, true, false],
		['with an empty NO_COLOR', 'auto', {NO_COLOR: ''}, true, true],
		['not with HIVE_NO_COLOR', 'auto', {HIVE_NO_COLOR: '1'}, true, false],
		['in a pipe with FORCE_COLOR', 'auto', {FORCE_COLOR: '1'}, false, true],
		['not with FORCE_COLOR=0', 'auto', {FORCE_COLOR: '0'}, true, false],
		['always when asked for', 'always', {NO_COLOR: '1'}, false, true],
		['never when asked not to', 'never', {FORCE_COLOR: '1'}, true, false],
	] as const)('is on or off: %s', (_, choice, env, isTTY, used) => {
		expect(wantsColor(choice, env, isTTY)).toBe(used);
	});
});

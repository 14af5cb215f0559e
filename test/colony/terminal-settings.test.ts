import {describe, expect, it} from 'vitest';
import {loadTerminalSettings} from '../../source/colony/terminal-settings.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {filesInMemory} from './files-in-memory.ts';

const path = '/home/me/.config/hive/shop/terminal.yaml';
const load = (text?: string) =>
	loadTerminalSettings(filesInMemory(text === undefined ? {} : {[path]: text}).files, path);

describe('the key that leaves a session', () => {
	it.each([undefined, 'terminal: tmux\n'])('has a default', async text => {
		expect(expectAccepted(await load(text)).detachKey).toBeUndefined();
	});

	it.each([
		['ctrl-g', 'G'],
		['Ctrl-\\', '\\'],
		['ctrl-]', ']'],
	])('can be %s', async (key, letter) => {
		expect(expectAccepted(await load(`detach_key: ${key}\n`)).detachKey).toBe(letter);
	});

	it.each(['ctrl-[', 'ctrl-i', 'ctrl-M', 'ctrl-^', 'esc', 'g', 'ctrl-1', 'alt-g'])(
		'cannot be %s, which is another key or not a Ctrl combination',
		async key => {
			expect(await load(`detach_key: ${key}\n`)).toMatchObject({
				ok: false,
				refusal: {code: 'invalid_config', details: [{path: `${path}:1`}]},
			});
		},
	);
});

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {createTerminalEmulator} from '../../source/screen/terminal-emulator.ts';
import {createStatusWatch} from '../../source/sessions/status-watch.ts';
import {handClock} from './terminal-session.ts';

const folder = join(import.meta.dirname, 'recordings');

type Line = readonly [ms: number, kind: 'o' | 'i' | 'h' | 'x', text: string];

/** Plays a recording into the holder's watch. Returns the last state, and the rows that it reports. */
const played = (name: string) => {
	const path = join(folder, `${name}.ndjson.gz`);
	const [head = '', ...lines] = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n');
	const {columns, rows}: {columns: number; rows: number} = JSON.parse(head);
	const {clock, pass} = handClock();
	const screen = createTerminalEmulator({columns, rows}, {scrollback: 0, onCalled: () => watch.called()});
	let state = 'starting';
	let lastRows: readonly string[] = [];
	const watch = createStatusWatch({
		...{clock, screen},
		onStatus: status => {
			({state, lastRows} = status);
		},
	});
	for (const [ms, kind, text] of lines.map((line): Line => JSON.parse(line))) {
		pass(ms - clock.elapsed());
		if (kind === 'o' && text !== '') {
			screen.write(Buffer.from(text));
			watch.wrote();
		} else if (kind === 'i') watch.typed(Buffer.from(text));
		else if (kind === 'h') watch.called();
		else if (kind === 'x') return {state: 'ended', lastRows: []};
	}
	return {state, lastRows};
};

/** The state of each scene at its end, as a person who looked at its screen would call it. */
const expected: Readonly<Record<string, string>> = JSON.parse(
	readFileSync(join(folder, 'expected.json'), 'utf8'),
);

/** Right in that many of the recordings at least. */
const leastRight = 38;

describe('recordings of real tools', () => {
	it('are eight of each of five tools', () => {
		const found = readdirSync(folder, {withFileTypes: true})
			.filter(entry => entry.isDirectory())
			.map(({name}) => [name, readdirSync(join(folder, name)).length]);
		expect(found).toEqual(['claude', 'codex', 'gemini', 'opencode', 'pi'].map(name => [name, 8]));
	});

	it(`tell the state of the session in at least ${leastRight} of 40`, () => {
		const wrong = Object.entries(expected).flatMap(([name, state]) => {
			const now = played(name);
			return now.state === state ? [] : [`${name}: ${now.state} instead of ${state}`];
		});

		expect(Object.keys(expected)).toHaveLength(40);
		expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(40 - leastRight);
	});

	it('show the question of a tool that waits in the last rows', () => {
		expect(played('claude/permission').lastRows.join('\n')).toContain('Do you want to create bees.txt?');
		expect(played('codex/question').lastRows.join('\n')).toContain('Shall I paint the hive blue or green?');
	});
});

import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {attach, everyNth, openScreen} from './attach.ts';
import {expectExact} from './expect-exact.ts';
import {recordings} from './recordings.ts';
import {stateOf} from './state-of.ts';
import {stream} from './streams.ts';

const size = {columns: 20, rows: 6};

test("a viewer that attaches at any byte of any output has the program's screen then and from then on", () => {
	fc.assert(
		fc.property(stream, fc.nat(), (recording, at) =>
			expectExact(recording, size, [at % (recording.length + 1)]),
		),
		{numRuns: 2000},
	);
});

test("a viewer that attaches after a resize has the program's screen then and from then on", () => {
	const newSize = fc.record({columns: fc.integer({min: 4, max: 30}), rows: fc.integer({min: 2, max: 10})});
	const wrapping = stream.filter(written => !written.includes('\x1b[?7l'));
	fc.assert(
		fc.property(wrapping, newSize, wrapping, wrapping, (before, changed, between, after) => {
			const program = openScreen(size);
			program.screen.write(before);
			program.screen.resize(changed);
			program.screen.write(between);
			const viewer = attach(program);
			expect(stateOf(viewer.model)).toEqual(stateOf(program.model));
			viewer.screen.write(program.screen.write(after));
			expect(stateOf(viewer.model)).toEqual(stateOf(program.model));
		}),
		{numRuns: 500},
	);
});

describe('a viewer that attaches at every 97th byte has the screen of', () => {
	for (const [name, recording] of Object.entries(recordings)) {
		test(name, () =>
			expectExact(
				Buffer.from(recording),
				{columns: 40, rows: 12},
				everyNth(Buffer.byteLength(recording), 97),
			),
		);
	}
});

test("a viewer that attaches at every byte of a short recording has the program's screen", () => {
	const recording = Buffer.from(
		'\x1b[1;32mgrün 漢字 e\u0301 😀\x1b[0m\r\n\x1b]8;;https://a.test/\x07link\x1b]8;;\x07\x1b[?1049h\x1b[2;4r\x1b[?6h\x1b(0lqk\x1b(B',
	);
	expectExact(recording, size, everyNth(recording.length, 1));
});

test('a snapshot has at most the requested rows of scrollback, and these are the newest', () => {
	const program = openScreen(size);
	program.screen.write(Buffer.from(Array.from({length: 50}, (_, row) => `row ${row}`).join('\r\n')));
	const viewer = attach(program, 3);
	expect(viewer.screen.length()).toBe(size.rows + 3);
	expect(stateOf(viewer.model)).toEqual(stateOf(program.model, 3));
});

test('wrapped rows stay wrapped in a viewer, and reflow after a resize', () => {
	const program = openScreen(size);
	program.screen.write(Buffer.from(`${'long '.repeat(12)}\r\nshort\r\n\x1b[44m${'x'.repeat(45)}\x1b[0m\r\n`));
	const viewer = attach(program);
	for (const {screen} of [program, viewer]) screen.resize({columns: 33, rows: 6});
	expect(stateOf(viewer.model)).toEqual(stateOf(program.model));
});

test('a title is cut at 200 characters', () => {
	const program = openScreen(size);
	program.screen.write(Buffer.from(`\x1b]2;${'t'.repeat(5000)}\x07`));
	expect(attach(program).screen.title()).toBe('t'.repeat(200));
});

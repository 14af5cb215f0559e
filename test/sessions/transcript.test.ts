import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createTyping} from '../../source/sessions/typing.ts';
import {terminalSession, wordsOf} from './terminal-session.ts';

describe('the transcript of a session', () => {
	it('has one entry for a spinner that is redrawn a thousand times, with or without rests', async () => {
		for (const pause of [100, 1000]) {
			const session = terminalSession();
			await session.print('Working on it\r\n');
			for (let at = 0; at < 1000; at++) {
				await session.print(`\r\x1b[K${'|/-\\'[at % 4]} Thinking (${at}s)`);
				session.pass(pause);
			}
			await session.print('\r\x1b[KDone.\r\n');
			session.pass(1000);
			const said = wordsOf(await session.ended());
			expect(said.length).toBeLessThanOrEqual(2);
			expect(said.join('\n')).toMatch(/Working on it.*Done\./s);
		}
	});

	it('has the last value of a line that counts', async () => {
		const session = terminalSession();
		for (const done of [10, 50, 100]) {
			await session.print(`\rCopied ${done} %`);
			session.pass(1000);
		}
		expect(wordsOf(await session.ended())).toEqual(['agent: Copied 10 %', 'agent: Copied 100 %']);
	});

	it('has the final text of an answer that is repainted with every word', async () => {
		const session = terminalSession();
		const words = 'The quick brown fox jumps over the lazy dog and goes home to sleep'.split(' ');
		for (let at = 1; at <= words.length; at++) {
			await session.print(`\x1b[H\x1b[J${words.slice(0, at).join(' ')}\r\n\x1b[2m* working\x1b[0m`);
			session.pass(100);
		}
		await session.print(`\x1b[H\x1b[J${words.join(' ')}\r\n`);
		session.pass(500);
		expect(wordsOf(await session.ended())).toEqual([
			'agent: The quick brown fox jumps over the lazy dog and goes home to sleep',
		]);
	});

	it('has each row that scrolls away once, also if all rows are repainted', async () => {
		const session = terminalSession();
		const rows = Array.from({length: 50}, (_, at) => `Row number ${at}`);
		await session.print(rows.join('\r\n'));
		session.pass(500);
		await session.print(`\x1b[2J\x1b[H${rows.join('\r\n')}\r\nOne more`);
		session.pass(500);
		expect(wordsOf(await session.ended())).toEqual([`agent: ${rows.join('\n')}`, 'agent: One more']);
	});

	it('has the rows that scroll away while the screen never rests', async () => {
		const session = terminalSession();
		for (let at = 0; at < 100; at++) {
			await session.print(`Step ${at}\r\n`);
			session.pass(100);
		}
		session.transcript.note('now');
		const said = wordsOf(await session.ended());
		const end = said.indexOf('system: now');
		expect(said.slice(0, end).join('\n')).toContain('Step 30');
		expect(said.join('\n').match(/Step 30\b/g)).toHaveLength(1);
	});

	it('has each page once if a spinner on the screen never rests', async () => {
		const session = terminalSession();
		const pages = [1, 2, 3].map(page => Array.from({length: 8}, (_, row) => `Row ${row} of page ${page}`));
		for (const page of pages) {
			await session.print(`\x1b[?1049h\x1b[H\x1b[J${page.join('\r\n')}`);
			for (let at = 0; at < 30; at++) {
				await session.print(`\x1b[10H${'|/-\\'[at % 4]} Thinking (${at}s)\x1b[K`);
				session.pass(100);
			}
		}
		await session.print('\x1b[H\x1b[J');
		session.transcript.note('now');
		const said = wordsOf(await session.ended());
		expect(said.slice(0, said.indexOf('system: now'))).toEqual(
			pages.map(page => `agent: ${page.join('\n')}`),
		);
	});

	it('attributes a typed line to its typist, although its echo comes after several polls', async () => {
		const session = terminalSession();
		const spin = async (times: number, below = '') => {
			for (let at = 0; at < times; at++) {
				await session.print(`\x1b[H\x1b[K${'|/-\\'[at % 4]} ${at}\r\n${below}`);
				session.pass(100);
			}
		};
		await session.print('\x1b[?1049h');
		await spin(15);
		session.type('hello\r');
		await spin(15);
		await spin(25, '> hello');
		expect(wordsOf(await session.ended())).toContain('user: hello');
	});

	it('has the resting screens of a full-screen program, and does not repeat earlier content', async () => {
		const session = terminalSession();
		await session.print('$ less file');
		session.pass(500);
		const page = (from: number) =>
			Array.from({length: 9}, (_, at) => `Line ${from + at} of text`).join('\r\n');
		await session.print(`\x1b[?1049h\x1b[H${page(1)}`);
		session.pass(500);
		await session.print(`\x1b[H\x1b[J${page(10)}`);
		session.pass(500);
		await session.print(`\x1b[H\x1b[J${page(1)}`);
		session.pass(500);
		await session.print('\x1b[?1049l\r\n$ ');
		session.pass(500);
		expect(wordsOf(await session.ended())).toEqual([
			'agent: $ less file',
			`agent: ${page(1).replaceAll('\r', '')}`,
			`agent: ${page(10).replaceAll('\r', '')}`,
			'agent: $',
		]);
	});

	it('keeps a text that a program prints twice', async () => {
		const session = terminalSession();
		for (const _ of [1, 2]) {
			await session.print('All is well\r\n');
			session.pass(500);
		}
		expect(wordsOf(await session.ended())).toEqual(['agent: All is well', 'agent: All is well']);
	});
});

describe('typed input in a transcript', () => {
	it('is recorded at Enter as it appeared on the screen, and not as output of the program', async () => {
		const session = terminalSession();
		await session.print('Hello.\r\n\u276f ');
		session.pass(500);
		for (const key of 'fix thf') {
			session.type(key);
			await session.print(key);
			session.pass(600);
		}
		session.type('\x7f');
		await session.print('\b \b');
		session.type('\x1b[200~e bug\x1b[201~');
		await session.print('e bug');
		session.type('\x1b[D\x1b[I');
		session.type('\r');
		await session.print('\r\nOn it.');
		session.pass(500);
		expect(wordsOf(await session.ended())).toEqual([
			'agent: Hello.\n\u276f',
			'user: fix the bug',
			'agent: On it.',
		]);
	});

	it('is left out if the program does not echo it, or echoes stars', async () => {
		for (const echo of ['', '*******']) {
			const session = terminalSession();
			await session.print('Password: ');
			session.pass(500);
			session.type('hunter2');
			await session.print(echo);
			session.pass(500);
			session.type('\r');
			await session.print('\r\nWelcome.');
			session.pass(500);
			expect(JSON.stringify(await session.ended())).not.toContain('hunter2');
		}
	});

	it('is recorded if the program echoes it only after Enter, as with type-ahead', async () => {
		const session = terminalSession();
		session.type('list\r');
		await session.print('> list\r\nNothing to list.\r\n');
		session.pass(500);
		expect(wordsOf(await session.ended())).toEqual(['user: list', 'agent: Nothing to list.']);
	});

	it('is recognised if it is wrapped in a frame', async () => {
		const session = terminalSession({columns: 24});
		session.type('please write the release notes');
		await session.print('\u2502 > please write the  \u2502\r\n\u2502   release notes     \u2502');
		session.type('\r');
		await session.print('\r\nYes.');
		session.pass(500);
		expect(wordsOf(await session.ended())).toEqual(['user: please write the release notes', 'agent: Yes.']);
	});

	it('does not include output that repeats a part of it', async () => {
		const session = terminalSession();
		await session.print('$ ');
		session.type('echo hello world');
		await session.print('echo hello world');
		session.type('\r');
		await session.print('\r\nhello world\r\n$ ');
		session.pass(500);
		expect(wordsOf(await session.ended()).slice(0, 2)).toEqual([
			'user: echo hello world',
			'agent: hello world\n$',
		]);
	});

	it('does not include output that only ends with the same text', async () => {
		const early = terminalSession();
		await early.print('> ');
		early.type('hello\r');
		await early.print('hello\r\nyou said: hello\r\n> ');
		early.pass(500);
		expect(JSON.stringify(await early.ended())).toContain('you said: hello');
		const menu = terminalSession();
		await menu.print('Pick 1 or 2: ');
		menu.type('1');
		await menu.print('1');
		menu.type('\r');
		await menu.print('\r\nRunning step 1\r\nTests failed: 11\r\nExit code 1\r\n');
		menu.pass(500);
		const said = JSON.stringify(await menu.ended());
		for (const row of ['Running step 1', 'Tests failed: 11', 'Exit code 1']) expect(said).toContain(row);
	});

	it('is the same however its bytes arrive', () => {
		const keys =
			'caf\u00e9 \x1b[200~two\nlines\x1b[201~\x1b[<0;3;4M\x1bOA\x1b]11;rgb:0/0/0\x1b\\\x7f \u{1f41d}\x1b\rx\ry\x15z\x17w\r';
		const submitted = (parts: readonly Uint8Array[]): string[] => {
			const typing = createTyping();
			const lines: string[] = [];
			for (const part of parts)
				for (const stroke of typing.push(part)) if (stroke.type === 'submit') lines.push(stroke.line);
			return lines;
		};
		const bytes = Buffer.from(keys);
		expect(submitted([bytes])).toEqual(['caf\u00e9 two\nline \u{1f41d}\nx', 'w']);
		fc.assert(
			fc.property(fc.array(fc.nat(bytes.length), {maxLength: 20}), cuts => {
				const ends = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
				const parts = ends.slice(1).map((end, at) => bytes.subarray(ends[at], end));
				expect(submitted(parts)).toEqual(submitted([bytes]));
			}),
		);
	});
});

describe('a transcript of any output', () => {
	it('is the same however the output arrives', async () => {
		const output = Buffer.from(
			`${Array.from({length: 30}, (_, at) => `\x1b[3${at % 8}mR\u00f6w ${at}\x1b[0m\r\n`).join('')}\x1b[?1049h\x1b[5;5HFull\x1b[?1049l$ `,
		);
		const transcribe = async (parts: readonly Uint8Array[]): Promise<string[]> => {
			const session = terminalSession();
			for (const part of parts) await session.print(part);
			session.pass(500);
			return wordsOf(await session.ended());
		};
		const whole = await transcribe([output]);
		await fc.assert(
			fc.asyncProperty(fc.integer({min: 1, max: 60}), async size => {
				const parts = Array.from({length: Math.ceil(output.length / size)}, (_, at) =>
					output.subarray(at * size, (at + 1) * size),
				);
				expect(await transcribe(parts)).toEqual(whole);
			}),
			{numRuns: 20},
		);
	});

	it('stays within its limits, and notes what was left out', async () => {
		const session = terminalSession({columns: 1000});
		for (let second = 0; second < 3; second++) {
			for (let at = 0; at < 60; at++)
				await session.print(
					`${Array.from({length: 500}, (_, row) => `${second} ${at} ${row} ${'x'.repeat(200)}`).join('\r\n')}\r\n`,
				);
			session.pass(1000);
		}
		const entries = await session.ended();
		expect(Math.max(...entries.map(({content}) => Buffer.byteLength(content)))).toBeLessThanOrEqual(
			16 * 1024,
		);
		expect(entries.length).toBeLessThanOrEqual(4 * 21 + 2);
		expect(entries.some(({content}) => /left out/.test(content))).toBe(true);
	});

	it('ends at 16 MiB and notes that once', async () => {
		const session = terminalSession({columns: 1000});
		for (let at = 0; at < 1200; at++) {
			const rows = Array.from({length: 20}, (_, row) => `${at} ${row} ${'y'.repeat(900)}`);
			session.transcript.scrolled(rows);
			session.pass(5000);
			await null;
		}
		const entries = await session.ended();
		const size = entries
			.map(entry => Buffer.byteLength(JSON.stringify(entry)) + 1)
			.reduce((sum, one) => sum + one);
		expect(size).toBeLessThanOrEqual(16 * 1024 * 1024);
		expect(size).toBeGreaterThan(15 * 1024 * 1024);
		expect(entries.slice(-2).map(({role, content}) => [role, content])).toEqual([
			['system', 'The transcript is full; what follows is not kept.'],
			['system', 'ended'],
		]);
	});

	it('never contains a control character', async () => {
		const session = terminalSession();
		await session.print('The word is ses\x1b[1mame\u202e.\r\n');
		session.pass(500);
		expect(wordsOf(await session.ended()).join('\n')).toContain('The word is sesame<U+202E>.');
	});
});

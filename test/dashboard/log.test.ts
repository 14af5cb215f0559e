import {describe, expect, it} from 'vitest';
import {appendLog, emptyLog, logLines} from '../../source/dashboard/store/log.ts';

const written = (...chunks: string[]) => chunks.reduce(appendLog, emptyLog('t', 'a'));

describe('the log in memory', () => {
	it('puts chunks together to lines, and shows the line that is being written', () => {
		expect(logLines(written('on', 'e\r\ntw', 'o\nthr'))).toEqual(['one', 'two', 'thr']);
	});

	it('drops a control sequence that came in two chunks', () => {
		const log = written('a\x1b]0;ti', 'tle\x07b\n');
		expect(log.lines).toEqual(['ab']);
		expect(log.removed).toBe(1);
	});

	it('cuts a line at 4 KB and says how much is missing', () => {
		expect(written(`${'x'.repeat(5000)}\n`).lines[0]).toMatch(/^x{4096}…\+904$/);
	});

	it('keeps the last ten thousand lines and counts them all', () => {
		const log = written('line\n'.repeat(12_000));
		expect([log.lines.length, log.total]).toEqual([10_000, 12_000]);
	});

	it('does not grow with output that never ends its line', () => {
		const log = Array.from({length: 100}, () => 'x'.repeat(10_000)).reduce(appendLog, emptyLog('t', 'a'));
		expect(log.open.length + log.lines.join('').length).toBeLessThan(200_000);
	});
});

import {describe, expect, it, vi} from 'vitest';
import {appendLog, emptyLog, logLines, logTimes} from '../../source/dashboard/store/log.ts';

const written = (...chunks: string[]) =>
	chunks.reduce((log, text) => appendLog(log, [{text}]), emptyLog('t', 'a'));

describe('a log in memory', () => {
	it('joins chunks to lines, and shows the incomplete line', () => {
		expect(logLines(written('on', 'e\r\ntw', 'o\nthr'))).toEqual(['one', 'two', 'thr']);
	});

	it('has the local time of each line, and none if it is unknown', () => {
		vi.stubEnv('TZ', 'Asia/Kolkata');
		const parts = [
			{text: 'one\ntwo\nth', at: '2026-03-01T14:02:09.000Z'},
			{text: 'ree\n', at: '2026-03-01T14:02:11.000Z'},
			{text: 'four\n'},
			{text: 'op', at: '2026-03-01T14:02:12.000Z'},
		];
		const log = appendLog(emptyLog('t', 'a'), parts);
		expect(logLines(log)).toEqual(['one', 'two', 'three', 'four', 'op']);
		expect(logTimes(log)).toEqual(['19:32:09', '19:32:09', '19:32:11', '', '19:32:12']);
	});

	it('drops a control sequence that is split over two chunks', () => {
		const log = written('a\x1b]0;ti', 'tle\x07b\n');
		expect(log.lines).toEqual(['ab']);
		expect(log.removed).toBe(1);
	});

	it('shows the last text of an overwritten line, also while it is written', () => {
		expect(logLines(written('10 %\r', '50 %\r', '90'))).toEqual(['90']);
		expect(logLines(written('10 %\r50 %\r100 %\r\ndone\n'))).toEqual(['100 %', 'done']);
		expect(logLines(written('10 %\r'))).toEqual(['10 %']);
		expect(logLines(written('one\r', '\ntwo\r\n'))).toEqual(['one', 'two']);
	});

	it('cuts a line at 4 KB and states how much is missing', () => {
		expect(written(`${'x'.repeat(5000)}\n`).lines[0]).toMatch(/^x{4096}…\+904$/);
	});

	it('keeps the last ten thousand lines and counts them all', () => {
		const log = written('line\n'.repeat(12_000));
		expect([log.lines.length, log.times.length, log.total]).toEqual([10_000, 10_000, 12_000]);
	});

	it('does not grow with output that never ends its line', () => {
		const log = written(...Array.from({length: 100}, () => 'x'.repeat(10_000)));
		expect(log.open.length + log.lines.join('').length).toBeLessThan(200_000);
	});
});

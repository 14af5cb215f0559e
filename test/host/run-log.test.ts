import {describe, expect, it} from 'vitest';
import {formOf, type LogForm, type RunOutput} from '../../source/host/logs/read-output.ts';
import {readableLines, readableParts} from '../../source/host/logs/run-log.ts';
import {filesInMemory} from '../colony/files-in-memory.ts';

const said = (text: string): string =>
	`${JSON.stringify({type: 'assistant', message: {content: [{type: 'text', text}]}})}\n`;

async function* inParts(text: string, size: number) {
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Returns no time for any position. */
const unknown = async () => undefined;

const formed = (writer: LogForm['writer'], workspace = ''): LogForm => ({writer, workspace});

const outputOf = (
	bytes: AsyncGenerator<Uint8Array>,
	writer: LogForm['writer'],
	{times = unknown, start = 0}: {times?: RunOutput['times']; start?: number} = {},
): RunOutput => ({bytes, start: () => start, form: async () => formed(writer), times});

const linesOf = async (text: string, writer: LogForm['writer'], size = 7): Promise<string[]> => {
	const lines: string[] = [];
	for await (const line of readableLines(outputOf(inParts(text, size), writer))) lines.push(line.text);
	return lines;
};

describe('the log of a run', () => {
	it('is the text of an agent, however its stream is split, and the unchanged output of a script', async () => {
		expect(await linesOf(`${said('Grün')}not JSON`, 'alpha')).toEqual(['Grün', 'not JSON']);
		expect(await linesOf(said('x'), 'script')).toEqual([said('x').trimEnd()]);
	});

	it('is the transcript of a session if there is one, with marks before entries of others than the agent', async () => {
		const {files} = filesInMemory({'/a/meta.json': '{"adapter": "alpha"}', '/a/transcript.ndjson': ''});
		expect([await formOf(files, '/a'), await formOf(files, '/b')]).toEqual([
			formed('transcript'),
			formed('script'),
		]);
		const entries = [
			{at: '', role: 'system', content: 'The session began.'},
			{at: '', role: 'user', content: 'fix it\nnow'},
			{at: '', role: 'agent', content: 'Done.'},
			{at: '', role: 'toString', content: 'x'},
			{at: '', role: 'agent', content: 7},
		];
		const text = entries.map(entry => `${JSON.stringify(entry)}\n`).join('');
		expect(await linesOf(text, 'transcript')).toEqual([
			'-- The session began.',
			'> fix it',
			'> now',
			'Done.',
		]);
	});

	it('has a time for each line: that of its tool, or else that of its arrival', async () => {
		const dated = said('One\nTwo').replace('{', '{"timestamp_ms":1772373600000,');
		const asked: number[] = [];
		const times = async (end: number) => {
			asked.push(end);
			return end > 4 ? '2026-03-01T14:00:01.000Z' : undefined;
		};
		const chunks = inParts(`old\n${dated}plain`, 7);
		const lines: object[] = [];
		for await (const line of readableLines(outputOf(chunks, 'alpha', {times}))) lines.push(line);
		expect(lines).toEqual([
			{text: 'old'},
			{text: 'One', at: '2026-03-01T14:00:00.000Z'},
			{text: 'Two', at: '2026-03-01T14:00:00.000Z'},
			{text: 'plain', at: '2026-03-01T14:00:01.000Z'},
		]);
		expect(asked).toEqual([4, `old\n${dated}plain`.length]);
	});

	it('has the times of the entries for a session', async () => {
		const entry = {at: '2026-03-01T14:00:00.000Z', role: 'user', content: 'fix it'};
		const lines: object[] = [];
		const chunks = inParts(JSON.stringify(entry), 9);
		for await (const line of readableLines(outputOf(chunks, 'transcript'))) lines.push(line);
		expect(lines).toEqual([{text: '> fix it', at: entry.at}]);
	});

	it('is split into pieces where a line is long', async () => {
		const pieces = await linesOf(said('x'.repeat(100_000)), 'alpha', 50_000);
		expect(pieces.map(piece => piece.length)).toEqual([65_536, 34_464]);
	});

	it('is read by the adapter that is recorded when output begins', async () => {
		let adapter: 'alpha' | 'script' = 'script';
		const late = async function* () {
			adapter = 'alpha';
			yield Buffer.from(said('One'));
		};
		const lines: string[] = [];
		const output = {...outputOf(late(), adapter), form: async () => formed(adapter)};
		for await (const {text} of readableLines(output)) lines.push(text);
		expect(lines).toEqual(['One']);
	});

	it('is read by the adapter of its directory, and as plain text without a known adapter', async () => {
		const {files} = filesInMemory({
			'/a/meta.json': '{"bee": "x",\n"adapter": "claude", "workspace": "/w"}',
			'/b/meta.json': '{',
			'/d/meta.json': '{"adapter": "clod"}',
		});
		expect(await Promise.all(['/a', '/b', '/c', '/d'].map(folder => formOf(files, folder)))).toEqual([
			formed('claude', '/w'),
			formed('script'),
			formed('script'),
			formed('script'),
		]);
	});
});

describe('the followed log of a run', () => {
	const partsOf = async (output: RunOutput) => {
		const all: (readonly object[])[] = [];
		for await (const parts of readableParts(output)) all.push(parts);
		return all;
	};
	const text = async (writer: LogForm['writer'], written: string, size = 7) =>
		(await partsOf(outputOf(inParts(written, size), writer))).flat();

	it('shows partial lines of a script, but only complete lines of a stream', async () => {
		expect(await text('script', 'open\nline')).toEqual([{text: 'open\nli'}, {text: 'ne'}]);
		expect(await text('alpha', said('One'))).toEqual([{text: 'One\n'}]);
	});

	it('ends with the text after the last line feed', async () => {
		expect(await text('alpha', 'not JSON')).toEqual([{text: 'not JSON\n'}]);
	});

	it.each([
		{writer: 'script' as const, start: 0},
		{writer: 'script' as const, start: 50},
		{writer: 'gemini' as const, start: 0},
		{writer: 'gemini' as const, start: 50},
	])('is split into parts with one time each: $writer from $start', async ({writer, start}) => {
		const times = async (end: number) => ['late', 'early'][Number(end <= start + 6)];
		const written = inParts('a\nb\nü\nd\n', 100);
		expect(await partsOf(outputOf(written, writer, {times, start}))).toEqual([
			[
				{text: 'a\nb\n', at: 'early'},
				{text: 'ü\nd\n', at: 'late'},
			],
		]);
	});
});

import {describe, expect, it} from 'vitest';
import {createReadableText, formOf, type LogForm, readableLines} from '../../source/host/run-log.ts';
import {filesInMemory} from '../colony/files-in-memory.ts';

const said = (text: string): string =>
	`${JSON.stringify({type: 'assistant', message: {content: [{type: 'text', text}]}})}\n`;

async function* inParts(text: string, size: number) {
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const formed = (writer: LogForm['writer'], workspace = ''): LogForm => ({writer, workspace});

const linesOf = async (text: string, writer: LogForm['writer'], size = 7): Promise<string[]> => {
	const lines: string[] = [];
	for await (const line of readableLines(inParts(text, size), async () => formed(writer))) lines.push(line);
	return lines;
};

describe('the log of a run', () => {
	it('is what an agent said, however its stream arrives, and what a script printed as it is', async () => {
		expect(await linesOf(`${said('Grün')}not JSON`, 'alpha')).toEqual(['Grün', 'not JSON']);
		expect(await linesOf(said('x'), 'script')).toEqual([said('x').trimEnd()]);
	});

	it('is the transcript where a session left one, with marks before what is not the agent’s', async () => {
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

	it('comes in pieces where one line is long', async () => {
		const pieces = await linesOf(said('x'.repeat(100_000)), 'alpha', 50_000);
		expect(pieces.map(piece => piece.length)).toEqual([65_536, 34_464]);
	});

	it('asks for the adapter when there is something to read, as the directory may not name it before', async () => {
		let adapter: 'alpha' | 'script' = 'script';
		const late = async function* () {
			adapter = 'alpha';
			yield Buffer.from(said('One'));
		};
		const lines: string[] = [];
		for await (const line of readableLines(late(), async () => formed(adapter))) lines.push(line);
		expect(lines).toEqual(['One']);
	});

	it('is read by the adapter that its directory names, and as it is when that names none', async () => {
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

describe('the text of a run that is being followed', () => {
	const text = (adapter: 'alpha' | 'script', isFromStart: boolean, ...parts: string[]): string[] => {
		const read = createReadableText({writer: adapter, workspace: ''}, isFromStart);
		return parts.map(part => read(Buffer.from(part)));
	};

	it('shows what a script has written of a line, and whole lines of a stream only', () => {
		expect(text('script', true, 'open')).toEqual(['open']);
		expect(text('alpha', true, said('One').slice(0, 9), said('One').slice(9))).toEqual(['', 'One\n']);
	});

	it('begins at a line when it does not begin at the start', () => {
		expect(text('alpha', false, 'torn"}', `]}\n${said('Two')}`)).toEqual(['', 'Two\n']);
	});
});

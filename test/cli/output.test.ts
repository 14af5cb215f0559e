import {describe, expect, it} from 'vitest';
import type {OutputLine} from '../../source/cli/command.ts';
import {type OutputSettings, printRefusal, printResult} from '../../source/cli/output.ts';
import {errorTable} from '../../source/domain/error-table.ts';
import {refuse} from '../../source/domain/errors.ts';

/**
 * Creates a face that keeps its output; its standard output closes after `readers` writes.
 */
const faceWith = ({json = false, color = false, readers = Number.POSITIVE_INFINITY} = {}) => {
	const written = {stdout: '', stderr: ''};
	let left = readers;
	const face: OutputSettings = {
		stdout: async text => {
			written.stdout += text;
			return --left > 0;
		},
		stderr: async text => {
			written.stderr += text;
			return true;
		},
		json,
		color: {stdout: color, stderr: color},
	};
	return {face, written};
};

describe("a command's result", () => {
	it('is text for people, on standard output', async () => {
		const {face, written} = faceWith();
		expect(await printResult({json: {a: 1}, text: () => 'One.'}, face)).toBe(0);
		expect(written).toEqual({stdout: 'One.\n', stderr: ''});
	});

	it('is one versioned document with --json, and its text is not built', async () => {
		const {face, written} = faceWith({json: true});
		const text = () => {
			throw new Error('Nobody asked for text.');
		};
		expect(await printResult({json: {a: 1}, text, exit: 8}, face)).toBe(8);
		expect(written.stdout).toBe('{"v":1,"a":1}\n');
	});

	it('prints nothing for empty text', async () => {
		const {face, written} = faceWith();
		await printResult({json: {}, text: ''}, face);
		expect(written.stdout).toBe('');
	});

	it('passes no control sequence of its data to the terminal, only its own colour', async () => {
		const {face, written} = faceWith({color: true});
		await printResult(
			{json: {}, text: ['a\u001B[31mb ', {text: 'c\u001B]0;t\u0007d', style: 'strong'}]},
			face,
		);
		expect(written.stdout).toBe('ab \u001B[1mcd\u001B[22m\n');
	});
});

describe('a document with --json', () => {
	it('has no terminal control characters, and parses to the original text', async () => {
		const {face, written} = faceWith({json: true});
		const words = 'a\u001B[2J\u009B5n\u007F\u202Eb\u200Bc\u{E0041}d\u2028 é 😀\n';
		await printResult({json: {words}, text: ''}, face);
		expect(written.stdout).toMatch(/^[\u0020-\u007Eé😀]+\n$/u);
		expect(JSON.parse(written.stdout)).toEqual({v: 1, words});
	});
});

describe('a stream of results', () => {
	const numbers = async function* (end: () => void): AsyncIterable<OutputLine> {
		try {
			for (let number = 1; number <= 3; number++) yield {json: {number}, text: `number ${number}`};
		} finally {
			end();
		}
	};

	it('is one document per line with --json', async () => {
		const {face, written} = faceWith({json: true});
		expect(await printResult({lines: numbers(() => {}), exit: () => 9}, face)).toBe(9);
		expect(written.stdout).toBe('{"v":1,"number":1}\n{"v":1,"number":2}\n{"v":1,"number":3}\n');
	});

	it('ends when its output is closed', async () => {
		const {face, written} = faceWith({readers: 2});
		let ended = false;
		await printResult(
			{
				lines: numbers(() => {
					ended = true;
				}),
			},
			face,
		);
		expect(written.stdout).toBe('number 1\nnumber 2\n');
		expect(ended).toBe(true);
	});
});

describe('a refusal', () => {
	const {refusal} = refuse('usage', {
		message: 'No.',
		hint: 'Do this.',
		details: [{path: '--trace', message: 'is required', hint: 'Name one.'}],
	});

	it('is a message, its details and the next step on standard error', async () => {
		const {face, written} = faceWith();
		expect(await printRefusal(refusal, face)).toBe(2);
		expect(written).toEqual({
			stdout: '',
			stderr: 'hive: No.\n  --trace is required (Name one.)\nDo this.\n',
		});
	});

	it('is one document on standard output with --json', async () => {
		const {face, written} = faceWith({json: true});
		await printRefusal(refusal, face);
		expect(written.stderr).toBe('');
		expect(JSON.parse(written.stdout)).toEqual({v: 1, ok: false, error: refusal});
	});

	it.each(Object.entries(errorTable))('exits with the code in the error table: %s', async (code, {exit}) => {
		const {face} = faceWith({json: true});
		expect(await printRefusal({...refusal, code: code as keyof typeof errorTable}, face)).toBe(exit);
	});
});

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {readableLog} from '../../source/agents/readable-log.ts';
import type {AdapterName} from '../../source/colony/colony.ts';
import {sumUp} from './summed.ts';

/** Output that the real tools printed (streams/readme.md), by the adapter that reads it. */
const adapterOfTool = {
	claude: 'claude',
	codex: 'codex',
	gemini: 'gemini',
	opencode: 'opencode',
	pi: 'beta',
} as const satisfies Record<string, AdapterName>;

const streams = join(import.meta.dirname, 'streams');

const recording = (tool: string, scenario: string): Buffer =>
	readFileSync(join(streams, tool, `${scenario}.ndjson`));

const scenariosOf = (tool: string): string[] =>
	readdirSync(join(streams, tool))
		.flatMap(name => (name.endsWith('.ndjson') ? [name.slice(0, -'.ndjson'.length)] : []))
		.sort();

const linesOf = (adapter: AdapterName, ...parts: Uint8Array[]): string[] => {
	const log = readableLog(adapter, '/home/bee/work');
	return [...parts.flatMap(part => log.push(part)), ...log.end()].map(({text}) => text);
};

const endOf = (tool: string, scenario: string): {exitCode: number | null} =>
	JSON.parse(readFileSync(join(streams, tool, 'ends.json'), 'utf8'))[scenario];

describe.each(Object.entries(adapterOfTool))('the output of %s', (tool, adapter) => {
	const scenarios = scenariosOf(tool);

	it('is shown and summarised as in its golden', async () => {
		const read = scenarios.map(scenario => {
			const bytes = recording(tool, scenario);
			const output = sumUp(adapter, bytes, endOf(tool, scenario).exitCode === 0);
			return [scenario, {lines: linesOf(adapter, bytes), output}];
		});
		const golden = `${JSON.stringify(Object.fromEntries(read), null, '\t')}\n`;
		await expect(golden).toMatchFileSnapshot(join(streams, tool, 'read.json'));
	});

	it('fails the run if the tool could not continue, whatever its exit code', () => {
		for (const scenario of ['api-error', 'limit'])
			expect(sumUp(adapter, recording(tool, scenario)).error).toBeTruthy();
		for (const scenario of ['success', 'tool-failure', 'retry'])
			expect(sumUp(adapter, recording(tool, scenario)).error).toBeUndefined();
	});

	it('has tokens and a session id, also for a killed run if the tool streams them', () => {
		expect(sumUp(adapter, recording(tool, 'success')).usage).toMatchObject({
			inputTokens: expect.any(Number),
			outputTokens: expect.any(Number),
			toolSession: expect.any(String),
		});
		const {usage} = sumUp(adapter, recording(tool, 'killed'), false);
		const isSummedAtEnd = tool === 'codex' || tool === 'gemini';
		expect(usage?.outputTokens).toEqual(isSummedAtEnd ? undefined : expect.any(Number));
		expect(usage?.toolSession).toEqual(expect.any(String));
	});

	it('gives the same log at any chunk boundaries', () => {
		const bytes = recording(tool, 'tool-failure');
		const whole = linesOf(adapter, bytes);
		fc.assert(
			fc.property(fc.array(fc.integer({min: 0, max: bytes.length}), {maxLength: 8}), cuts => {
				const ends = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
				const parts = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
				expect(linesOf(adapter, ...parts)).toEqual(whole);
			}),
			{numRuns: 20},
		);
	});

	it('is read up to where it was cut off, also inside a line', () => {
		const bytes = recording(tool, 'success');
		const whole = linesOf(adapter, bytes);
		fc.assert(
			fc.property(fc.integer({min: bytes.indexOf('\n') + 1, max: bytes.length}), end => {
				const cut = bytes.subarray(0, end);
				const lines = linesOf(adapter, cut).filter(line => !line.startsWith('{'));
				expect(whole.join('\n').startsWith(lines.slice(0, -1).join('\n'))).toBe(true);
				expect(sumUp(adapter, cut).summary).not.toContain('{"type"');
			}),
			{numRuns: 40},
		);
	});

	it('is read despite bytes that are not UTF-8', () => {
		const bytes = recording(tool, 'success');
		const broken = Buffer.from(bytes);
		for (let at = broken.indexOf('line one'); at >= 0; at = broken.indexOf('line one', at + 1))
			broken[at] = 0xff;
		expect(linesOf(adapter, broken).join('\n')).toContain('\ufffdine one (+2 lines)');
		expect(sumUp(adapter, broken)).toEqual(sumUp(adapter, bytes));
	});
});

describe('a stream of one tool in the log of another', () => {
	it('is shown unchanged', () => {
		const bytes = recording('codex', 'success');
		const written = bytes.toString('utf8').trimEnd().split('\n');
		for (const adapter of ['claude', 'alpha', 'gemini', 'opencode'] as const) {
			const foreign = written.filter(line => !line.includes('"type":"error"'));
			expect(linesOf(adapter, Buffer.from(`${foreign.join('\n')}\n`))).toEqual(foreign);
		}
	});
});

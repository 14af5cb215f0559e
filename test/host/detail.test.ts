import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createRedactor} from '../../source/domain/redact.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {readRunFacts} from '../../source/host/review/detail.ts';
import {failureLines} from '../../source/host/views/detail/run.ts';
import {runDirectory} from '../../source/runs/layout.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {ago, buildRun, noon} from '../dashboard/build-trace.ts';

const run = buildRun('run1', {status: 'failed', exitCode: 1, summary: 'exit code 1', finishedAt: ago(1)});

/** Returns the detail lines of a failed run with these files in its directory. */
const detailOf = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
	const root = await mkdtemp(join(tmpdir(), 'hive-detail-'));
	onTestFinished(() => rm(root, {recursive: true, force: true}));
	const directory = runDirectory(root, 'trace-1', run.agentId);
	await mkdir(directory, {recursive: true});
	for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
	const facts = await readRunFacts(
		{
			bus: {isShared: false},
			files: createFiles(),
			colony: {...(await colonyFrom({})), root},
			checkout: 'here',
		},
		{traceId: 'trace-1', run, redact: createRedactor(['a-secret-of-mine'])},
	);
	return failureLines(run, facts, undefined, noon).map(({text}) => text);
};

const linesOf = (count: number): string =>
	Array.from({length: count}, (_, index) => `at step ${index} of ${'a long way '.repeat(6)}\n`).join('');

const kept = JSON.stringify({diagnostics: {stderr: 'the end of it'}});

describe('the standard error of a failed run', () => {
	it('is shown completely in its detail, without secrets', async () => {
		const lines = await detailOf({
			'stderr.log': `It goes wrong with a-secret-of-mine.\n${linesOf(60)}Error: no space left\n`,
			'result.json': kept,
		});
		expect(lines).toContain('Its standard error');
		expect(lines).toContain('It goes wrong with [redacted].');
		expect(lines.filter(text => text.startsWith('at step '))).toHaveLength(60);
		expect(lines).toContain('Error: no space left');
		expect(lines).not.toContain('the end of it');
	});

	it('is cut to its last complete lines when it is longer than a screen', async () => {
		const lines = await detailOf({'stderr.log': `${linesOf(2000)}Error: no space left\n`});
		const heading = lines.indexOf('The end of its standard error');
		expect(lines[heading + 1]).toMatch(/^at step \d+ of/);
		expect(lines.at(-1)).toBe('Error: no space left');
	});

	it('is shown as on a terminal where lines were overwritten', async () => {
		const lines = await detailOf({'stderr.log': 'building 10%\rbuilding 90%\rthe build broke\n'});
		expect(lines).toContain('the build broke');
		expect(lines.join()).not.toContain('10%');
	});

	it('comes from the result file when its own file is gone', async () => {
		expect(await detailOf({'result.json': kept})).toContain('the end of it');
	});
});

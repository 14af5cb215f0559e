import {appendFile, mkdir, mkdtemp, rm, symlink, utimes, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createFiles} from '../../source/drivers/files.ts';
import {runDirectory} from '../../source/runs/layout.ts';
import {createLogTimes} from '../../source/runs/log-times.ts';

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Creates a run directory with a log of ten bytes, last written in second 900. */
const scene = async () => {
	const root = await mkdtemp(join(tmpdir(), 'hive-times-'));
	onTestFinished(() => rm(root, {recursive: true, maxRetries: 5, retryDelay: 100}));
	const folder = runDirectory(root, 't', 'run1');
	await mkdir(folder, {recursive: true});
	const [log, notes] = [join(folder, 'stdout.log'), join(folder, 'stdout.times')];
	await writeFile(log, 'x'.repeat(10));
	await utimes(log, 900, 900.5);
	const times = createLogTimes(createFiles(), folder, 'stdout');
	return {
		log,
		notes,
		note: (text: string) => appendFile(notes, text),
		timesOf: async (...ends: number[]) => {
			const all: (string | undefined)[] = [];
			for (const end of ends) all.push(await times(end));
			return all;
		},
	};
};

describe('the timestamps of a log', () => {
	it('come from the first note at or after the position, else from the last write of the log', async () => {
		const {note, timesOf} = await scene();
		await note('3 100\n7 200\n');
		expect(await timesOf(1, 3, 4, 7, 8, 10)).toEqual([100, 100, 200, 200, 900, 900].map(at));
	});

	it('include notes that are written during the query', async () => {
		const {log, note, timesOf} = await scene();
		await note('3 100\n1');
		expect(await timesOf(3, 10)).toEqual([100, 900].map(at));
		await appendFile(log, 'more');
		await note('4 950\n');
		expect(await timesOf(14)).toEqual([at(950)]);
	});

	it('are unknown without notes, and beyond the end of the log', async () => {
		const {note, timesOf} = await scene();
		expect(await timesOf(3)).toEqual([undefined]);
		await note('3 100\n');
		expect(await timesOf(3)).toEqual([undefined]);
		const other = await scene();
		await other.note('3 100\n');
		expect(await other.timesOf(3, 11)).toEqual([at(100), undefined]);
	});

	it('are unknown if the notes file is a link or a folder', async () => {
		const linked = await scene();
		await symlink('/etc/passwd', linked.notes);
		expect(await linked.timesOf(1, 2)).toEqual([undefined, undefined]);
		const folder = await scene();
		await mkdir(folder.notes);
		expect(await folder.timesOf(1, 2)).toEqual([undefined, undefined]);
	});

	it('ignore notes that are out of order, torn, too long or malformed', async () => {
		const {note, timesOf} = await scene();
		await note(
			`7 200\n3 100\n\0\n-1 5\n1e3 5\n8 9 9\n${'9'.repeat(200_000)} 1\n10 ${'9'.repeat(30)}\n9 300\n`,
		);
		expect(await timesOf(2, 8, 9, 10)).toEqual([200, 300, 300, 900].map(at));
	});

	it('are valid times or absent, whatever the notes file contains', async () => {
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({maxLength: 200}), async bytes => {
				const {notes, timesOf} = await scene();
				await writeFile(notes, bytes);
				for (const time of await timesOf(1, 5, 10))
					expect(time === undefined || Date.parse(time) >= 0).toBe(true);
			}),
			{numRuns: 50},
		);
	});
});

import {appendFile, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createFiles} from '../../source/drivers/files.ts';
import {type RunOutput, readOutput} from '../../source/host/logs/read-output.ts';

/** Creates the directory of a run as a real folder. */
const scene = async (adapter: string, written: string) => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-output-'));
	onTestFinished(() => rm(folder, {recursive: true, maxRetries: 5, retryDelay: 100}));
	await writeFile(join(folder, 'meta.json'), JSON.stringify({adapter}));
	const path = join(folder, 'stdout.log');
	await writeFile(path, written);
	return {
		write: (text: string) => appendFile(path, text),
		open: (options: Parameters<typeof readOutput>[2]) => readOutput(createFiles(), folder, options),
	};
};

const next = async ({bytes}: RunOutput): Promise<string | undefined> => {
	const {value, done} = await bytes.next();
	return done ? undefined : Buffer.from(value).toString();
};

const whole = async (output: RunOutput): Promise<string> => {
	let text = '';
	for await (const piece of output.bytes) text += Buffer.from(piece).toString();
	return text;
};

const long = 64 * 1024;

describe('the output of a run', () => {
	it('is read from its start, or exactly after a position', async () => {
		const {open} = await scene('alpha', 'one\ntwo\n');
		const [all, rest] = [await open({}), await open({after: 2})];
		expect([await whole(all), all.start()]).toEqual(['one\ntwo\n', 0]);
		expect([await whole(rest), rest.start()]).toEqual(['e\ntwo\n', 2]);
	});

	it('is limited to its last complete lines, if it is longer than requested', async () => {
		const {open} = await scene('script', 'one\ntwo\nthree\n');
		const end = await open({last: {bytes: 9}});
		expect([await whole(end), end.start()]).toEqual(['three\n', 8]);
		for (const last of [{bytes: 14}, {bytes: 9, above: 14}]) {
			const all = await open({last});
			expect([await whole(all), all.start()]).toEqual(['one\ntwo\nthree\n', 0]);
		}
	});

	it('is skipped to the end of a torn record, however late that end comes', async () => {
		const {open, write} = await scene('alpha', 'x'.repeat(2 * long));
		const stop = new AbortController();
		const output = await open({last: {bytes: long + 1}, follow: {signal: stop.signal}});
		expect([await next(output), await next(output)]).toEqual(['', '']);
		const coming = next(output);
		await write('torn\nnext\n');
		expect(await coming).toBe('next\n');
		expect(output.start()).toBe(2 * long + 5);
		const end = next(output);
		stop.abort();
		expect(await end).toBeUndefined();
	});

	it('is shown in part when one plain line is longer than the limit', async () => {
		const {open} = await scene('script', 'x'.repeat(2 * long));
		const output = await open({last: {bytes: long + 1}});
		expect([await whole(output), output.start()]).toEqual(['x', 2 * long - 1]);
	});
});

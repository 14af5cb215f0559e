import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import {createActivityReader} from '../../source/agents/activity.ts';
import {adapterOf} from '../../source/agents/adapter.ts';
import {readableLog} from '../../source/agents/readable-log.ts';
import {createOutputSummarizer} from '../../source/agents/summarize-output.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {createRedactor, createRedactorOfPieces} from '../../source/domain/redact.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {readArtifact, readArtifacts} from '../../source/host/logs/artifacts.ts';
import {readOutput} from '../../source/host/logs/read-output.ts';
import {readableParts} from '../../source/host/logs/run-log.ts';
import {answerMachine, type LogPiece} from '../../source/host/machines/answer-machine.ts';
import {runDirectory} from '../../source/runs/layout.ts';
import {redactBytes} from '../../source/runs/read-log.ts';
import {createTyping} from '../../source/sessions/typing.ts';
import {describeChange} from '../../source/workspaces/trees/attribution.ts';
import {claimOf, finishOf, item, planOf, traceId} from '../helpers/events.ts';
import {createRepository} from '../helpers/repository.ts';
import {noFaults} from '../host/host-with.ts';
import {terminalSession, wordsOf} from '../sessions/terminal-session.ts';
import {git} from '../workspaces/scene.ts';

const secret = 'Zm9vYmFy-QUJDREVG-0123456789';
const redact = createRedactor([secret]);
const kilobyte = 1024;

/** Returns a text with the secret across the boundary at `place`, and enough text after it. */
const across = (place: number, behind = 'y'.repeat(64 * kilobyte)): string =>
	`${'x'.repeat(place - secret.length / 2)}${secret}${behind}`;

/** Expects no part of four characters of the secret, because no other text here has such a part. */
const expectNoPart = (text: string): void => {
	for (let at = 0; at + 4 <= secret.length; at++) expect(text).not.toContain(secret.slice(at, at + 4));
};

const said = (text: string): string =>
	`${JSON.stringify({type: 'assistant', message: {content: [{type: 'text', text}]}})}\n`;

describe('no part of a secret remains in a cut text', () => {
	const withArtifact = async (content: string) => {
		const root = await mkdtemp(join(tmpdir(), 'hive-cut-'));
		onTestFinished(() => rm(root, {recursive: true, maxRetries: 5, retryDelay: 100}));
		await mkdir(join(root, '.hive/runs/t/artifacts'), {recursive: true});
		await writeFile(join(root, '.hive/runs/t/artifacts/note.md'), content);
		return {files: createFiles(), colony: {root}, redact} as unknown as Parameters<typeof readArtifacts>[0];
	};

	it.each([
		['at its end', across(200)],
		['where no more of the file is looked at', `${'\n'.repeat(4090)}${secret}`],
	])('in the title of an artifact, %s', async (_, content) => {
		const [artifact] = await readArtifacts(await withArtifact(content), 't');
		expectNoPart(artifact?.title ?? '');
	});

	it('in an artifact of which the beginning is shown', async () => {
		const context = await withArtifact(across(512 * kilobyte));
		const shown = await readArtifact(context, 't', '.hive/runs/t/artifacts/note.md');
		expect(shown).toMatchObject({ok: true, value: {truncated: true}});
		if (shown.ok) expectNoPart(shown.value.text);
	});

	it('in the bytes of a log with a line that is too long to arrive whole', async () => {
		const chunks = async function* () {
			yield Buffer.from(across(64 * kilobyte, '')).subarray(0, 64 * kilobyte);
			yield Buffer.from(across(64 * kilobyte, '')).subarray(64 * kilobyte);
		};
		let text = '';
		for await (const bytes of redactBytes(chunks(), createRedactorOfPieces([secret])))
			text += Buffer.from(bytes).toString();
		expect(text).toBe(redact(across(64 * kilobyte, '')));
	});

	it.each([64, 128])('in the lines of a log whose long lines are split, at %d KiB', place => {
		const log = readableLog('script', '', redact);
		const lines = [...log.push(Buffer.from(`${across(place * kilobyte)}\nnext\n`)), ...log.end()];
		for (const {text} of lines) expectNoPart(redact(text));
		expect(lines.map(({text}) => text).join('')).toBe(`${redact(across(place * kilobyte))}next`);
	});

	describe('no part of a secret remains in a log that another machine requests', () => {
		/** Sends requests until the whole log has arrived, and returns it. */
		const ask = async (known: string, written: string): Promise<string> => {
			const root = await mkdtemp(join(tmpdir(), 'hive-cut-'));
			onTestFinished(() => rm(root, {recursive: true, maxRetries: 5, retryDelay: 100}));
			const directory = runDirectory(root, traceId, 'run1');
			await mkdir(directory, {recursive: true});
			await writeFile(join(directory, 'stdout.log'), written);
			const clock = createSystemClock();
			const bus = createMemoryBus({clock});
			for (const event of [planOf(item('a')), claimOf('run1', 'a'), finishOf('run1')])
				await bus.append(event, {id: event.payload.kind});
			// This context has only the fields that reading a log needs.
			const context = {
				...{bus, clock, colony: {root}, checkout: 'here', files: createFiles()},
				redact: createRedactor([known]),
			} as unknown as ActionContext;
			const answering = {secrets: () => [known], faults: noFaults, signal: new AbortController().signal};
			let given = '';
			for (let after = 0; ; ) {
				const question = {ask: 'log', agentId: 'run1', stream: 'stdout', after, waits: false};
				const piece = expectAccepted(await answerMachine(context, question, answering)) as LogPiece;
				given += piece.text;
				if (piece.isOver) return given;
				expect(piece.after).toBeGreaterThan(after);
				({after} = piece);
			}
		};

		it.each([
			['a line is longer than a piece', secret, 128],
			['a secret of several lines lies across two pieces', 'Zm9vYmFy\nQUJDREVG\n0123456789', 64],
			['a secret has a character of several bytes', 'Zm9vYmFy-\u00fc\u00fc\u00fc-0123456789', 128],
		])('if %s', async (_, known, place) => {
			const bytes = Buffer.byteLength(known);
			for (let at = 1; at < bytes; at += 3) {
				const written = `${'x'.repeat(place * kilobyte - at)}${known}${'y'.repeat(64 * kilobyte)}\nnext\n`;
				expect(await ask(known, written)).toBe(createRedactor([known])(written));
			}
		});
	});

	it('in a log that is shown from a position in its middle', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'hive-cut-'));
		onTestFinished(() => rm(folder, {recursive: true, maxRetries: 5, retryDelay: 100}));
		const end = `${secret.slice(5)}\nnext`;
		await writeFile(join(folder, 'stdout.log'), `${secret.slice(0, 5)}${end}`);
		const output = await readOutput(createFiles(), folder, {last: {bytes: end.length}});
		let text = '';
		for await (const parts of readableParts(output, [secret])) text += parts.map(part => part.text).join('');
		expect(text).toBe('next');
	});

	it('in a plain-text summary, whose end is kept', () => {
		for (const place of [16 * kilobyte, 1024 * kilobyte]) {
			const sum = createOutputSummarizer(adapterOf('script'), redact);
			const behind = 'y'.repeat(16 * kilobyte - secret.length / 2);
			sum.push(Buffer.from(across(place, behind)));
			expectNoPart(redact(sum.end(true).summary));
		}
	});

	it('in the summary of an agent with much output, whole or in parts', () => {
		const words = across(64 * kilobyte, 'y'.repeat(256 * kilobyte - secret.length / 2));
		const sum = createOutputSummarizer(adapterOf('alpha'), redact);
		sum.push(Buffer.from(said(words)));
		expectNoPart(redact(sum.end(true).summary));
	});

	it('in the activity of a run, taken from the last line of its output', () => {
		const doing = createActivityReader(adapterOf('gemini').read, {workspace: '', redact});
		const piece = (content: string) => ({type: 'message', role: 'assistant', content, delta: true});
		const text = `${secret}${'y'.repeat(4096 - secret.length / 2)}`;
		for (const part of [text.slice(0, 10), text.slice(10)])
			doing.push(Buffer.from(`${JSON.stringify(piece(part))}\n`));
		expect(doing.now().about).toContain('yyyy');
		expectNoPart(doing.now().about);
	});

	it('in a session transcript with a line that is too long to keep', async () => {
		const session = terminalSession();
		session.transcript.addPrompt(across(4 * kilobyte));
		const [words = ''] = wordsOf(await session.ended());
		expect(words).toContain('is left out');
		expectNoPart(words);
	});

	it('in a session transcript if the terminal wraps the secret, on screen or in the scrollback', async () => {
		const session = terminalSession({columns: 20, rows: 3});
		await session.print(`The key: ${secret}\r\n`);
		session.pass(500);
		for (let row = 0; row < 6; row++) {
			await session.print(`Row ${row}: ${secret}.\r\n`);
			session.pass(row % 2 === 0 ? 500 : 6000);
		}
		const words = wordsOf(await session.ended()).join('\n');
		expect(words.split(secret)).toHaveLength(8);
		expectNoPart(redact(words));
	});

	it('in a typed line that is longer than the kept part', () => {
		const typing = createTyping();
		const typed = `\x1b[200~first\n${across(16 * kilobyte - 6)}\x1b[201~\r`;
		const lines = [...typing.push(Buffer.from(typed))].flatMap(stroke =>
			stroke.type === 'submit' ? [stroke.line] : [],
		);
		expect(lines).toEqual(['first\n']);
	});

	it('in a change whose beginning is shown', async () => {
		const repository = await createRepository({'a.txt': 'a\n'});
		const before = await repository.git(['rev-parse', 'HEAD^{tree}']);
		await repository.write('a.txt', `${'x'.repeat(100)}\n`.repeat(20) + `${secret}\n`.repeat(20));
		await repository.commit('secrets');
		const after = await repository.git(['rev-parse', 'HEAD^{tree}']);
		for (let maxBytes = 2200; maxBytes < 2200 + secret.length; maxBytes++) {
			const {patch} = await describeChange(git, {
				...{workspace: repository.root, before, after, maxBytes},
			});
			expectNoPart(redact(patch));
		}
	});
});

import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {renderExportPage} from '../../source/cli/export-page.ts';
import {html} from '../../source/cli/html.ts';
import type {Colony} from '../../source/colony/colony.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import {createRedactor} from '../../source/domain/redact.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import type {ExportedTrace} from '../../source/host/export/exported-trace.ts';
import {gatherExport} from '../../source/host/export/gather-export.ts';
import {filesInMemory} from '../colony/files-in-memory.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {claimOf, createEvent, finishOf, item, planOf, stored, traceId} from '../helpers/events.ts';
import {expectNoSecrets} from '../helpers/nothing-secret.ts';

const attack = '</pre><script>alert(1)</script><img src=x onerror=alert(1)>"\'`&\u001b]0;t\u0007\u202e';
const hostile: NewEvent[] = [
	planOf({...item('a'), title: attack, body: attack}),
	createEvent('INSIGHT', {kind: 'trace.title', title: attack}),
	createEvent('INSIGHT', {kind: 'trace.summary', summary: attack}),
	claimOf('run1', 'a', {bee: 'builder'}),
	createEvent(
		'MUTATION',
		{
			kind: 'code.proposal.isolated',
			taskId: 'a',
			summary: attack,
			diff: `+${attack}\n-${attack}\n@@ ${attack}`,
		},
		{agentId: 'run1'},
	),
	createEvent('SIGNAL', {kind: attack, deep: [{[attack]: attack}]}),
	createEvent('SIGNAL', {...finishOf('run1', 'failed', attack).payload, warnings: [attack]}),
];

const colony: Colony = await colonyFrom({});

/** Exports a trace with these events and these files of `run1`. */
const gathered = async (
	events: readonly NewEvent[],
	files: Readonly<Record<string, string>> = {},
	secrets: readonly string[] = [],
): Promise<ExportedTrace> => {
	const bus = createMemoryBus({clock: {...createSystemClock(), now: () => Date.UTC(2026, 0, 1)}});
	const {files: inMemory, texts} = filesInMemory(
		Object.fromEntries(
			Object.entries(files).map(([name, text]) => [`/repo/.hive/runs/${traceId}/run1/${name}`, text]),
		),
	);
	const readBytes = async (path: string, offset: number, length: number) =>
		Buffer.from(texts.get(path) ?? '').subarray(offset, offset + length);
	for (const {sequence, ...event} of stored(events)) await bus.append(event, {id: String(sequence)});
	const exported = await gatherExport(
		{bus: expectNoSecrets(bus), files: {...inMemory, readBytes}, colony, redact: createRedactor(secrets)},
		traceId,
	);
	if (exported === undefined) throw new Error('There is no such trace.');
	return exported;
};

const pageOf = async (...given: Parameters<typeof gathered>): Promise<string> =>
	renderExportPage(await gathered(...given));

/** Returns what a browser would read as tags; escaped text has none. */
const tagsOf = (page: string): string[] => page.match(/<[^>]*>/g) ?? [];

/** The control and direction characters of the attack. */
const forbidden = ['\u001b', '\u0007', '\u202e'];

describe('the exported page', () => {
	it('shows text of people and agents as text only, wherever it appears', async () => {
		const page = await pageOf(hostile, {'stdout.log': attack, 'stderr.log': attack, 'prompt.txt': attack});
		expect(forbidden.filter(character => page.includes(character))).toEqual([]);
		expect(page.match(/&#60;script&#62;alert\(1\)&#60;\/script&#62;/g)?.length).toBeGreaterThan(10);
		const names = tagsOf(page).map(tag => /^<\/?(\w+)/.exec(tag)?.[1] ?? tag);
		expect(names.filter(name => ['script', 'img', 'iframe', 'b', 'link', 'object'].includes(name))).toEqual(
			[],
		);
	});

	it('loads nothing and allows only its own style', async () => {
		const page = await pageOf(hostile);
		const [, style = ''] = /<style>(.*)<\/style>/s.exec(page) ?? [];
		const tags = tagsOf(page);
		expect(tags.filter(tag => /\s(src|srcset|action|style|on\w+)\s*=/.test(tag))).toEqual([]);
		expect(tags.filter(tag => /href=(?!"#)/.test(tag))).toEqual([]);
		expect(style).not.toMatch(/@import|url\(/);
		const hash = createHash('sha256').update(style).digest('base64');
		expect(page).toContain(
			`http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;`,
		);
	});

	it('is identical for the same log, byte for byte', async () => {
		const [one, other] = [
			await gathered(hostile, {'stdout.log': 'out'}),
			await gathered(hostile, {'stdout.log': 'out'}),
		];
		expect(renderExportPage(one)).toBe(renderExportPage(other));
	});

	it('shows tasks, runs with their logs, diffs and every event', async () => {
		const page = await pageOf(
			[
				planOf(item('a'), item('b', 'a')),
				claimOf('run1', 'a'),
				createEvent(
					'MUTATION',
					{kind: 'code.proposal.isolated', taskId: 'a', summary: 'Done', diff: '+new\n-old'},
					{agentId: 'run1'},
				),
				createEvent('SIGNAL', {
					...finishOf('run1', 'completed', 'All good').payload,
					warnings: ['no network'],
				}),
			],
			{'stdout.log': 'I am done', 'result.json': '{"usage":{"inputTokens":7}}'},
		);
		for (const text of [
			'<td class="mono">a</td>',
			'0 of 2 completed',
			'11 left (budget 12)',
			'I am done',
			'All good',
			'<span class="warned">!1</span>',
			'<dd class="warned">no network</dd>',
			'7 in, 0 out',
			'<span class="added">+new</span>',
			'<span class="removed">-old</span>',
			'id="event-4"',
			'<a href="#run-run1">builder</a>',
		])
			expect(page).toContain(text);
	});

	it('states that there were no tasks, runs or proposals', async () => {
		const page = await pageOf([
			createEvent('SIGNAL', {kind: 'feature.requested', title: 'Priorities'}),
			createEvent('MUTATION', {kind: 'code.proposal.odd', diff: '+new'}),
		]);
		for (const text of [
			'No task was planned.',
			'Nothing was run.',
			'No change was proposed.',
			'<h1>Priorities</h1>',
		])
			expect(page).toContain(text);
	});

	it('keeps the end of a long log and states how much is left out', async () => {
		const page = await pageOf([planOf(item('a')), claimOf('run1', 'a')], {
			'stdout.log': `first${'x'.repeat(70_000)}last`,
		});
		expect(page).toContain('last</pre>');
		expect(page).not.toContain('firstx');
		expect(page).toContain(`cut: ${70_009 - 65_536} bytes are left out`);
	});

	it('contains no known secret, whatever its source', async () => {
		const secret = 'sesame-open-123';
		const text = `key ${secret} ${Buffer.from(secret).toString('base64')}`;
		const page = await pageOf(
			[planOf({...item('a'), body: text}), claimOf('run1', 'a'), finishOf('run1', 'failed', text)],
			{'stdout.log': text, 'stderr.log': text, 'prompt.txt': text},
			[secret],
		);
		expect(page).toContain('[redacted]');
		expect(page).not.toContain(secret);
		expect(page).not.toContain(Buffer.from(secret).toString('base64').slice(0, 16));
	});
});

describe('an HTML template', () => {
	it('inserts markup only from other templates, and escapes all other values', () => {
		expect(html`<p title="${'"><b>'}">${html`<b>${1}</b>`}${[html`<i>`, html`</i>`]}</p>`.markup).toBe(
			'<p title="&#34;&#62;&#60;b&#62;"><b>1</b><i></i></p>',
		);
	});
});

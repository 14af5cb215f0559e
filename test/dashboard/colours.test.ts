import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {Chalk} from 'chalk';
import fc from 'fast-check';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {highlightVisibleFiles} from '../../source/dashboard/highlight-visible-files.ts';
import {codeLine, dropLine, wrapLine} from '../../source/dashboard/parts/code-line.ts';
import {type ColourToken, plainText} from '../../source/dashboard/parts/line.ts';
import {
	type Background,
	backgroundStyleOf,
	styleOf,
	type ThemeName,
	tokenOnBackground,
} from '../../source/dashboard/parts/theme.ts';
import {accepted} from '../../source/domain/errors.ts';
import {sanitizeLine} from '../../source/domain/sanitize.ts';
import {createHighlighter} from '../../source/highlight/highlighter.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {buildTask, buildTrace, mapOf} from './build-trace.ts';
import {fixturePreview} from './fixture-world.ts';
import {drive} from './screen-of.ts';

let ending = new AbortController();
afterEach(() => {
	ending.abort();
	ending = new AbortController();
});

const thread = (): URL => pathToFileURL(path.join(path.dirname(builtCommand()), 'highlight-code.cjs'));

const patch = [
	...['diff --git a/a.ts b/a.ts', 'index 1111111..2222222 100644', '--- a/a.ts', '+++ b/a.ts'],
	...['@@ -1,2 +1,2 @@', ' return a;', '-const a = 1;', '+const a = 2; // two', ''],
].join('\n');

describe('the colours of a diff', () => {
	it('are computed in a thread of their own, and lines are plain until then', async () => {
		const driver = await drive(undefined, {preview: async () => accepted({...fixturePreview, patch})});
		const {store} = driver;
		highlightVisibleFiles(createHighlighter(thread(), ending.signal), store, ending.signal);
		driver.press('3', 'tab', 'tab');
		await driver.settled();
		expect(driver.screen()).toContain('const a = 2; // two');
		await expect.poll(() => store.getState().review.colours.size).toBe(1);
		const [lines] = store.getState().review.colours.values();
		const parts = [...(lines ?? [])].map(([{sign, text}, code]) => [sign + text, JSON.parse(code)[0]]);
		expect(parts).toEqual([
			[' return a;', {text: 'return', kind: 'keyword'}],
			['-const a = 1;', {text: 'const', kind: 'keyword'}],
			['+const a = 2; // two', {text: 'const', kind: 'keyword'}],
		]);
		driver.stop();
	});

	it('are shown below a sheet too, whose diff has no pane', async () => {
		const trace = buildTrace('s', {
			title: 'Sort the list',
			tasks: [buildTask('_review', {status: 'waiting_review', review: 'final', bee: ''})],
			runs: [],
		});
		const driver = await drive(
			{columns: 120, rows: 36},
			{
				follow: (_signal, call) => call({traces: mapOf(trace), events: []}),
				sheetFacts: async () => ({diff: {...fixturePreview, patch}}),
			},
		);
		const {store} = driver;
		highlightVisibleFiles(createHighlighter(thread(), ending.signal), store, ending.signal);
		driver.press('tab');
		await driver.settled();
		expect(driver.screen()).toContain('const a = 2; // two');
		await expect.poll(() => store.getState().review.colours.size).toBe(1);
		driver.stop();
	});

	it('arrive however slowly the thread starts', async () => {
		const over = new AbortController();
		const highlight = createHighlighter(thread(), over.signal);
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		const answer = highlight({path: 'a.ts', code: {old: [], new: [['null']]}});
		await vi.advanceTimersByTimeAsync(60_000);
		vi.useRealTimers();
		expect((await answer)?.new).toEqual([[expect.stringContaining('null')]]);
		over.abort();
	});

	it('are absent if the thread cannot start', async () => {
		const {signal} = new AbortController();
		const highlight = createHighlighter(new URL('file:///nowhere/there-is-none.cjs'), signal);
		expect(await highlight({path: 'a.ts', code: {old: [], new: [['null']]}})).toBeUndefined();
	});

	it('stop when the dashboard ends, even while they are computed', async () => {
		const over = new AbortController();
		const highlight = createHighlighter(thread(), over.signal);
		const asked = highlight({path: 'a.ts', code: {old: [], new: [Array(9000).fill('const a = b(c);')]}});
		over.abort();
		expect(await asked).toBeUndefined();
		expect(await highlight({path: 'a.ts', code: {old: [], new: [['null']]}})).toBeUndefined();
	});
});

describe('a line of code', () => {
	it('has the tones of its parts, and highlights the words that only one side has', () => {
		const line = codeLine('\tconst a = b;', {
			code: [{text: '\t'}, {text: 'const', kind: 'keyword'}, {text: ' a = b;'}],
			words: [
				{text: '\tconst ', isOwn: false},
				{text: 'a', isOwn: true},
				{text: ' = b;', isOwn: false},
			],
			...{plain: 'plain', own: 'added-word'},
		});
		expect(line.filter(({text}) => text.trim() !== '')).toEqual([
			{text: 'const', tone: 'code-keyword'},
			{text: 'a', tone: 'added-word'},
			{text: ' = b;', tone: 'plain'},
		]);
	});

	it('is sanitized, and its wrapped rows join to the whole line', () => {
		const text = fc
			.array(fc.constantFrom('a', 'bc', '\t', ' ', '漢', '\u001b[31m', '\u202e', 'é'))
			.map(all => all.join(''));
		void fc.assert(
			fc.property(text, fc.integer({min: 2, max: 9}), fc.nat(12), (whole, width, at) => {
				const code = [{text: whole.slice(0, at), kind: 'string' as const}, {text: whole.slice(at)}];
				const line = codeLine(whole, {code, words: undefined, plain: 'plain', own: 'strong'});
				expect(plainText(line)).toBe(sanitizeLine(whole));
				expect(wrapLine(line, width).map(plainText).join('')).toBe(plainText(line));
				expect(plainText(line).endsWith(plainText(dropLine(line, at)).trimStart())).toBe(true);
			}),
			{numRuns: 300},
		);
	});
});

/** Colours of the 256 are a cube of six shades or a gray; other colours are red, green and blue. */
const luminance = (name: string): number => {
	const index = Number(/\((\d+)\)/.exec(name)?.[1]);
	const shade = (part: number): number => (part === 0 ? 0 : 55 + 40 * part);
	const cube = index - 16;
	const parts = name.startsWith('#')
		? [1, 3, 5].map(at => Number.parseInt(name.slice(at, at + 2), 16))
		: index >= 232
			? Array(3).fill(8 + 10 * (index - 232))
			: [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(shade);
	const [red = 0, green = 0, blue = 0] = parts.map((part: number) =>
		part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4,
	);
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
	const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
	return (light + 0.05) / (dark + 0.05);
};

describe('the colour themes', () => {
	const kinds = [
		'comment',
		'keyword',
		'string',
		'number',
		'type',
		'title',
		'attribute',
		'variable',
		'meta',
	] as const;
	const paper = {dark: 'ansi256(16)', light: 'ansi256(231)'};

	const coded = kinds.map(kind => `code-${kind}` as const);
	const words = ['accent', 'good', 'bad', 'info', 'added', 'removed'] as const;
	/** Text without a colour has the terminal's own. */
	const ink = {dark: 'ansi256(252)', light: 'ansi256(16)'};

	it.each(['dark', 'light'] as const)('give every text a readable contrast to its background: %s', theme => {
		const colourOf = (tone: ColourToken): string => styleOf(theme, tone).color ?? ink[theme];
		const groundOf = (ground: Background): string => backgroundStyleOf(theme, ground).backgroundColor ?? '';
		const drawn = [
			...[...coded, ...words, 'dim' as const].map(tone => [tone, 'paper', colourOf(tone), paper[theme]]),
			...(['strong', 'faint'] as const).flatMap(bar =>
				[...coded, ...words, 'dim' as const, 'plain' as const].map(tone => [
					...[tone, bar, colourOf(tokenOnBackground(theme, bar, tone)), groundOf(bar)],
				]),
			),
			...(['added', 'removed'] as const).flatMap(ground =>
				[...coded, 'dim' as const, 'plain' as const].map(tone => [
					...[tone, ground, colourOf(tokenOnBackground(theme, ground, tone)), groundOf(ground)],
				]),
			),
		];
		for (const [tone, ground, colour = '', below = ''] of drawn)
			expect(contrast(colour, below), `${tone} on ${ground}`).toBeGreaterThanOrEqual(4.5);
	});

	it.each(['added', 'removed'] as const)('highlight %s words', what => {
		for (const theme of ['dark', 'light'] as const) {
			const {color = '', backgroundColor = ''} = styleOf(theme, `${what}-word`);
			expect(contrast(color, backgroundColor)).toBeGreaterThan(4.5);
		}
		for (const theme of ['high-contrast', 'no-color'] satisfies ThemeName[])
			expect(styleOf(theme, `${what}-word`)).toEqual({bold: true});
	});

	it('have the nearest backgrounds in a terminal of 256 colours', () => {
		const nearest = (style: {backgroundColor?: string | undefined}) =>
			new Chalk({level: 2}).bgHex(style.backgroundColor ?? '')('x');
		expect(nearest(backgroundStyleOf('dark', 'added'))).toContain('48;5;22m');
		expect(nearest(styleOf('dark', 'added-word'))).toContain('48;5;28m');
		expect(nearest(backgroundStyleOf('dark', 'removed'))).toContain('48;5;52m');
		expect(nearest(styleOf('dark', 'removed-word'))).toContain('48;5;88m');
	});

	it('use no colour if colour is off', () => {
		for (const kind of kinds) expect(styleOf('no-color', `code-${kind}`)).toEqual({});
	});
});

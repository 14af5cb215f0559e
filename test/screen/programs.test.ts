import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {expect, onTestFinished, test} from 'vitest';
import {openEmulatedTerminal} from '../helpers/answering-terminal.ts';
import {everyNth} from './attach.ts';
import {expectExact} from './expect-exact.ts';

const size = {columns: 80, rows: 24};
const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

type Step = {readonly shows: string; readonly keys: string};

/** Records a program to its end, and types the keys of each step once its text is on screen. */
const record = async (argv: readonly [string, ...string[]], steps: readonly Step[]): Promise<Buffer> => {
	const env = {PATH: process.env.PATH ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', HOME: '/nonexistent'};
	const terminal = openEmulatedTerminal(argv, {size, env});
	onTestFinished(terminal.close);
	for (const {shows, keys} of steps) {
		await terminal.until(screen => screen.includes(shows));
		terminal.type(keys);
	}
	await terminal.ended;
	return terminal.bytes();
};

const programs: Readonly<
	Record<string, {readonly argv: readonly [string, ...string[]]; readonly steps: readonly Step[]}>
> = {
	vim: {
		argv: [
			'vim',
			'-u',
			'NONE',
			'-N',
			'--cmd',
			'set number ruler laststatus=2 mouse=a scrolloff=2',
			'--cmd',
			'syntax on',
			fixture('text.ts'),
		],
		steps: [
			{shows: 'export const first', keys: 'G'},
			{shows: 'export const last', keys: 'ggdd10jp:set hlsearch\r/row\r'},
			{shows: '/row', keys: 'vjj\x1b:vsplit\r:%s/row/line/g\r'},
			{shows: 'line', keys: '\x1b:qa!\r'},
		],
	},
	less: {
		argv: ['less', '-N', fixture('text.ts')],
		steps: [
			{shows: 'export const first', keys: '  G'},
			{shows: '(END)', keys: 'kkkk?row 2\rgq'},
		],
	},
	top: {argv: ['top', '-d', '0.2', '-n', '3'], steps: []},
	perl: {argv: ['perl', fixture('full-screen.pl')], steps: [{shows: 'press a key', keys: 'x'}]},
};

for (const [name, {argv, steps}] of Object.entries(programs)) {
	const isHere = has(argv[0]);
	if (!isHere) console.warn(`${name} is not on this machine: its recording is not tried.`);
	test.skipIf(!isHere)(`a viewer that attaches to ${name} at every 97th byte has its screen`, async () => {
		const recording = await record(argv, steps);
		expect(recording.length).toBeGreaterThan(1000);
		expectExact(recording, size, everyNth(recording.length, 97));
	});
}

import {bindings} from '../../../source/dashboard/keys/table.ts';
import type {Size} from '../../../source/dashboard/store/state.ts';
import type {Random} from '../../simulator/random.ts';

/** The sizes for random keys: the smallest, the usual ones, and the tall ones. */
export const sizes: readonly Size[] = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 120, rows: 36},
	{columns: 200, rows: 50},
	{columns: 90, rows: 60},
];

/** The next input of a person, as the terminal sends it; `names` are its key names. */
export type Typing = {readonly bytes: string; readonly names: readonly string[]};

const codes: Readonly<Record<string, string>> = {
	up: '\x1b[A',
	down: '\x1b[B',
	right: '\x1b[C',
	left: '\x1b[D',
	home: '\x1b[H',
	end: '\x1b[F',
	pgup: '\x1b[5~',
	pgdn: '\x1b[6~',
	tab: '\t',
	'shift+tab': '\x1b[Z',
	enter: '\r',
	esc: '\x1b',
	space: ' ',
	backspace: '\x7f',
};

const bytesOf = (name: string): string => {
	const letter = /^ctrl\+(\w)$/.exec(name)?.[1];
	return letter === undefined ? (codes[name] ?? name) : String.fromCharCode(letter.charCodeAt(0) - 96);
};

/** Keys that end or stop the dashboard, or give its terminal away. */
const leaving: ReadonlySet<string> = new Set(['q', 'ctrl+c', 'ctrl+z', 'ctrl+g', 'O', '!']);

const keys = [
	...new Set(bindings.flatMap(binding => binding.keys)),
	...['backspace', 'ctrl+a', 'ctrl+e', 'ctrl+u', 'ctrl+w', 'ctrl+d', 'X', '0', 'é'],
].filter(name => !leaving.has(name));

/** Most presses are these: tabs, rows and keys that leave. */
const usual = ['1', '2', '3', '4', '5', '6', 'tab', 'shift+tab', 'j', 'k', 'down', 'up', 'enter', 'esc'];

const paste = 'a pasted line\rand another one';

/** @param size of the screen that the pointer is on */
export const nextTyping = (random: Random, {columns, rows}: Size): Typing => {
	const chance = random.below(100);
	if (chance < 8) {
		const place = `${random.between(1, columns)};${random.between(1, rows)}`;
		const button = random.pick([0, 0, 64, 65]);
		return {bytes: `\x1b[<${button};${place}M`, names: [button === 0 ? 'click' : 'wheel']};
	}
	if (chance < 9) return {bytes: `\x1b[200~${paste}\x1b[201~`, names: ['paste']};
	const name = chance < 50 ? random.pickAny(usual) : random.pickAny(keys);
	return {bytes: bytesOf(name ?? 'esc'), names: [name ?? 'esc']};
};

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {inkRowCache} from '../../../build/ink-row-cache.mjs';
import {readyAtOnce} from '../../../build/ready-at-once.mjs';
import type {Size} from '../../../source/dashboard/store/state.ts';
import {openTerminal, type VirtualTerminal} from '../../helpers/virtual-terminal.ts';
import {createRandom} from '../../simulator/random.ts';
import {bundleApp} from '../bundle-app.ts';
import {nextTyping, sizes} from './steps.ts';

/**
 * Types random keys, clicks, wheels, pastes and resizes at 0 to 40 ms in a real terminal over a busy colony,
 * at each size: `node prove.mjs --keys 10000 --seed 1`. Prints whether each dashboard still works at the end.
 */
const {values} = parseArgs({
	options: {keys: {type: 'string', default: '10000'}, seed: {type: 'string', default: '1'}},
});

/** Milliseconds after which typed input has been drawn, also on a busy machine. */
const moment = 700;

/** Leaves any open dialog or program, and shows another tab. */
const answers = async (terminal: VirtualTerminal): Promise<boolean> => {
	for (const key of ['\x1d', '\x1b', '\x1b', '4']) {
		terminal.type(key);
		await pause(moment);
	}
	return terminal.screen()[1]?.includes('[4') === true;
};

const mostTries = 5;

/** Expects the dashboard to answer keys, and to show the same after a full redraw. */
const expectAlive = async (terminal: VirtualTerminal): Promise<void> => {
	let tries = 1;
	while (!(await answers(terminal))) {
		tries += 1;
		if (tries > mostTries) throw new Error(`answers no key:\n${terminal.screen().join('\n')}`);
	}
	process.kill(terminal.pid, 'SIGUSR2');
	await pause(moment);
	// The first key dismisses a message.
	terminal.type('\x0c');
	await pause(moment);
	const before = terminal.screen().slice(1).join('\n');
	const cleared = terminal.raw().length;
	terminal.type('\x0c');
	await terminal.until(
		() =>
			terminal.raw().slice(cleared).includes('\x1b[2J') && terminal.screen().slice(1).join('\n') === before,
	);
};

const prove = async (app: string, size: Size, seed: number): Promise<string> => {
	const random = createRandom(seed);
	let now = size;
	const terminal = openTerminal([process.execPath, app, String(seed)], size);
	const over = terminal.ended.then(({exitCode, signal}) => {
		throw new Error(`ended by ${signal || exitCode}:\n${terminal.raw().slice(-3000)}`);
	});
	const play = async (): Promise<string> => {
		await terminal.until(screen => screen.includes('Traces'));
		let resizes = 0;
		for (let key = 0; key < Number(values.keys); key += 1) {
			if (random.chance(0.005)) {
				now = random.pickAny(sizes) ?? size;
				terminal.resize(now.columns, now.rows);
				resizes += 1;
			}
			terminal.type(nextTyping(random, now).bytes);
			await pause(random.between(0, 40));
		}
		await expectAlive(terminal);
		return `${values.keys} keys, ${resizes} resizes, alive at the end`;
	};
	try {
		return await Promise.race([play(), over]);
	} catch (error) {
		process.exitCode = 1;
		return `FAULT: ${error instanceof Error ? error.message : error}`;
	} finally {
		over.catch(() => {});
		terminal.close();
	}
};

const folder = mkdtempSync(join(tmpdir(), 'hive-keys-'));
try {
	const app = await bundleApp('test/dashboard/fixtures/busy-app.ts', join(folder, 'app.mjs'), [
		readyAtOnce,
		inkRowCache,
	]);
	await Promise.all(
		sizes.map(async (size, index) => {
			const said = await prove(app, size, Number(values.seed) + index);
			console.log(`${size.columns}x${size.rows}: ${said}`);
		}),
	);
} finally {
	rmSync(folder, {recursive: true, force: true});
}

import {EventEmitter} from 'node:events';
import {stripVTControlCharacters} from 'node:util';
import {render} from 'ink';
import {expect, it} from 'vitest';
import {App} from '../../../source/dashboard/app.tsx';
import {handleInput} from '../../../source/dashboard/handle/handle-input.ts';
import type {InputEvent} from '../../../source/dashboard/keys/input-event.ts';
import type {State} from '../../../source/dashboard/store/state.ts';
import {setSize} from '../../../source/dashboard/store/terminal-changes.ts';
import {createRandom} from '../../simulator/random.ts';
import {createFixtureWorld} from '../fixture-world.ts';
import {type Driver, drive, textOf} from '../screen-of.ts';
import {createBusyColony} from './busy-colony.ts';
import {nextTyping, sizes} from './steps.ts';

const turn = () => new Promise(setImmediate);

/** A terminal's keyboard, for typing. */
class Keyboard extends EventEmitter {
	isTTY = true;
	#typed: string | null = null;
	write(bytes: string): void {
		this.#typed = bytes;
		this.emit('readable');
	}
	read(): string | null {
		const typed = this.#typed;
		this.#typed = null;
		return typed;
	}
	setEncoding() {}
	setRawMode() {}
	resume() {}
	pause() {}
	ref() {}
	unref() {}
}

/** Mounts the dashboard of a driver with Ink; `fault` is the error that stopped it. */
const mount = async ({store}: Driver, onPress: (press: InputEvent) => void) => {
	const {columns, rows} = store.getState().size;
	const stdin = new Keyboard();
	let frame = '';
	const stdout = Object.assign(new EventEmitter(), {
		...{isTTY: true, columns, rows},
		write: (text: string) => {
			if (text.includes('\n')) frame = text;
		},
	});
	const {header} = createFixtureWorld().world;
	const app = render(<App store={store} theme="no-color" header={header} onInput={onPress} />, {
		stdin: stdin as unknown as NodeJS.ReadStream,
		stdout: stdout as unknown as NodeJS.WriteStream,
		...{maxFps: 10, exitOnCtrlC: false, patchConsole: false},
	});
	let fault: unknown;
	app.waitUntilExit().catch(error => {
		fault = error;
	});
	while (stdin.listenerCount('readable') === 0) await turn();
	return {
		type: (bytes: string) => stdin.write(bytes),
		fault: () => fault,
		/** Unmounts the dashboard and returns the last frame. */
		unmount: (): string[] => {
			app.unmount();
			return frame.split('\n').map(row => stripVTControlCharacters(row).trimEnd());
		},
	};
};

/** Another seed presses other keys. */
const seed = Number(process.env.HIVE_KEYS_SEED ?? 1);
const count = Number(process.env.HIVE_KEYS ?? 1000);

/** Each dashboard reads the history of a trace by itself, and a history has a function. */
const comparable = ({past, ...state}: State) => ({
	...state,
	past: past && {position: past.position, trace: past.trace},
});

it.each(sizes)('the dashboard survives keys, clicks, resizes and updates in any order at %o', async size => {
	const random = createRandom(seed + size.columns);
	const [drawn, plain] = [await drive(size), await drive(size)];
	const both = [drawn, plain];
	const tell = Object.fromEntries(
		Object.keys(drawn.tell).map(name => [
			name,
			(news: never) => {
				for (const each of both) (each.tell as Record<string, (news: never) => void>)[name]?.(news);
			},
		]),
	) as Driver['tell'];
	const work = createBusyColony(tell, random);
	const onPress = (press: InputEvent): void => {
		for (const {context} of both) handleInput(context, press);
	};
	let screen = await mount(drawn, onPress);
	for (let typed = 0; typed < count; typed += 1) {
		const chance = random.below(100);
		if (chance < 20) work();
		if (chance < 60) await turn();
		const moment = random.below(400);
		if (chance < 5) for (const each of both) each.wait(moment);
		if (chance < 3) await Promise.all(both.map(each => each.settled()));
		if (chance < 1) {
			const next = random.pickAny(sizes) ?? size;
			for (const {store} of both) store.dispatch(setSize(next));
			screen.unmount();
			screen = await mount(drawn, onPress);
		}
		screen.type(nextTyping(random, drawn.store.getState().size).bytes);
		expect(screen.fault()).toBeUndefined();
	}
	for (const each of both) await each.settled();
	await turn();
	expect(screen.fault()).toBeUndefined();
	expect(comparable(drawn.store.getState())).toEqual(comparable(plain.store.getState()));
	const rows = textOf(drawn.store.getState()).map(row => row.trimEnd());
	expect(screen.unmount().slice(0, rows.length)).toEqual(rows);
	for (const each of both) each.stop();
});

import {stripVTControlCharacters} from 'node:util';
import {renderToString} from 'ink';
import {createElement} from 'react';
import {App} from '../../source/dashboard/app.tsx';
import {startFeeds} from '../../source/dashboard/feeds.ts';
import type {DashboardEnd, HandleContext} from '../../source/dashboard/handle/context.ts';
import {handleInput} from '../../source/dashboard/handle/handle-input.ts';
import {widthOf} from '../../source/dashboard/parts/cells.ts';
import {showSession} from '../../source/dashboard/session/show-session.ts';
import {colonyText} from '../../source/dashboard/store/colony-text.ts';
import {statusReceived, updateReceived} from '../../source/dashboard/store/feed-changes.ts';
import {initialState} from '../../source/dashboard/store/initial-state.ts';
import {drawnRows} from '../../source/dashboard/store/layout.ts';
import {setTime} from '../../source/dashboard/store/notice-changes.ts';
import type {Size, State} from '../../source/dashboard/store/state.ts';
import {createStore, type Store} from '../../source/dashboard/store/store.ts';
import {restoreChoices} from '../../source/dashboard/store/trace-list-changes.ts';
import {startTeaching} from '../../source/dashboard/teach.ts';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import {noon} from './build-trace.ts';
import {createFixtureWorld, fixtureEvents, fixtureTraces} from './fixture-world.ts';

/** Returns the state after the dashboard has read the fixture colony. */
export const loadedState = (size: Size = {columns: 120, rows: 36}): State =>
	[
		updateReceived({traces: fixtureTraces, events: fixtureEvents}),
		statusReceived({reactor: 'here', bus: {state: 'live'}, places: []}),
	].reduce((state, change) => change(state), initialState(size, noon));

const escapeSign = '\u001b';
/** Matches colours and styles, whose parts may be joined by colons; Node takes those for text. */
const rendition = new RegExp(`${escapeSign}\\[[\\d:;]*m`, 'g');

/** Returns the rows that Ink draws, as a terminal shows them. */
export const textOf = (state: State): string[] => {
	const {columns} = state.size;
	const rows = renderToString(
		createElement(App, {
			store: createStore(state),
			theme: 'no-color',
			header: createFixtureWorld().world.header,
			onInput: () => undefined,
		}),
		{columns},
	).split('\n');
	return Array.from({length: Math.max(drawnRows(state.size), rows.length)}, (_, row) => {
		const text = stripVTControlCharacters((rows[row] ?? '').replaceAll(rendition, ''));
		return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
	});
};

export type Driver = {
	readonly store: Store;
	readonly context: HandleContext;
	/** Presses keys by the names of the key table; longer texts are typed as characters. */
	readonly press: (...names: string[]) => void;
	readonly type: (text: string) => void;
	/** Types bytes as the keyboard sends them while a session has it. */
	readonly typeToProgram: (bytes: Uint8Array) => void;
	readonly paste: (text: string) => void;
	readonly screen: () => string;
	/** Lets time pass, also on the screen: a dialog ignores early keys. */
	readonly wait: (milliseconds: number) => void;
	readonly settled: () => Promise<void>;
	readonly asked: ReturnType<typeof createFixtureWorld>['asked'];
	readonly tell: ReturnType<typeof createFixtureWorld>['tell'];
	readonly copied: string[];
	readonly ended: DashboardEnd[];
	readonly stop: () => void;
};

/** The dashboard without a terminal: keys in, rows out. */
export const drive = async (
	size: Size = {columns: 120, rows: 36},
	change: Partial<DashboardServices> = {},
): Promise<Driver> => {
	let now = noon;
	const {world, asked, tell} = createFixtureWorld({now: () => now, ...change});
	const store = createStore(restoreChoices(world.preferences)(initialState(size, noon, colonyText(world))));
	const ending = new AbortController();
	const copied: string[] = [];
	const ended: DashboardEnd[] = [];
	const context: HandleContext = {
		store,
		world,
		screen: {copy: text => void copied.push(text), setMouse: () => undefined},
		redraw: () => undefined,
		suspendUi: work => work(),
		trueColor: true,
		signal: ending.signal,
		suspendProcess: () => undefined,
		finish: end => void ended.push(end),
	};
	startFeeds(world, store, ending.signal);
	startTeaching(world, store, ending.signal);
	const {listener} = showSession(world, store, ending.signal);
	await store.flushed();
	return {
		store,
		context,
		press: (...names) => {
			for (const name of names)
				handleInput(context, {kind: 'key', name, ...(name.length === 1 ? {text: name} : {})});
		},
		typeToProgram: bytes => listener()?.(bytes),
		type: text => {
			for (const character of text) handleInput(context, {kind: 'key', name: character, text: character});
		},
		paste: text => handleInput(context, {kind: 'paste', text}),
		screen: () => textOf(store.getState()).join('\n'),
		wait: milliseconds => {
			now += milliseconds;
			store.dispatch(setTime(now));
		},
		settled: async () => {
			await new Promise(setImmediate);
			await store.flushed();
		},
		asked,
		tell,
		copied,
		ended,
		stop: () => ending.abort(),
	};
};

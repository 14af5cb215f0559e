import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import chalk from 'chalk';
import {Box, render as renderInk, renderToString} from 'ink';
import {cleanup, render} from 'ink-testing-library';
import type {ReactElement} from 'react';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {App} from '../../source/dashboard/app.tsx';
import {Choices} from '../../source/dashboard/components/choices.tsx';
import {Gauge} from '../../source/dashboard/components/gauge.tsx';
import {Log} from '../../source/dashboard/components/log.tsx';
import {Pane, PaneTitle} from '../../source/dashboard/components/pane.tsx';
import {SafeText} from '../../source/dashboard/components/safe-text.tsx';
import {Table} from '../../source/dashboard/components/table.tsx';
import type {InputEvent} from '../../source/dashboard/keys/input-event.ts';
import {logReceived} from '../../source/dashboard/store/log-changes.ts';
import {createStore} from '../../source/dashboard/store/store.ts';
import {createFixtureWorld} from './fixture-world.ts';
import {loadedState} from './screen-of.ts';

// A dashboard that an earlier test mounted has set the colour level to that of its terminal.
beforeEach(() => {
	chalk.level = 0;
});

afterEach(cleanup);

/** Returns what a screen reader receives. */
const readOut = (element: ReactElement): string => {
	let written = '';
	const stdout = {
		columns: 100,
		rows: 30,
		isTTY: false,
		write: (text: string) => {
			written += text;
		},
		on: () => undefined,
		off: () => undefined,
	};
	const {unmount} = renderInk(element, {
		stdout: stdout as unknown as NodeJS.WriteStream,
		isScreenReaderEnabled: true,
		debug: true,
		patchConsole: false,
	});
	unmount();
	return written;
};

describe('a gauge', () => {
	it('is a bar and a count', () => {
		const {lastFrame} = render(<Gauge remaining={7} budget={12} cells={12} />);
		expect(lastFrame()).toBe('[███████░░░░░] 7/12');
	});

	it('is never drawn empty while anything is left', () => {
		expect(render(<Gauge remaining={1} budget={1000} cells={6} />).lastFrame()).toContain('[█░░░░░]');
	});

	it('is read out as the rest and the total', () => {
		expect(readOut(<Gauge remaining={7} budget={12} cells={12} />)).toContain('progressbar: honey 7 of 12');
	});
});

describe('a pane', () => {
	it('has its title in the border, and the size that it is given', () => {
		const {lastFrame} = render(
			<Pane area={{width: 20, height: 4}} isFocused title={<PaneTitle>Log</PaneTitle>}>
				<SafeText>inside</SafeText>
			</Pane>,
		);
		expect(lastFrame()).toBe(
			['┌─ Log ────────────┐', '│inside            │', '│                  │', '└──────────────────┘'].join(
				'\n',
			),
		);
	});

	it('cuts a title that is too wide', () => {
		const {lastFrame} = render(
			<Pane area={{width: 14, height: 3}} isFocused={false} title={<PaneTitle>A long title</PaneTitle>} />,
		);
		expect(lastFrame()?.split('\n')[0]).toBe('┌─ A long … ─┐');
	});
});

describe('a table', () => {
	const columns = [
		{title: 'NAME', width: 5, cell: ({name}: {name: string}) => [name] as const},
		{title: 'AGE', width: 3, align: 'right' as const, from: 12, cell: () => ['9m'] as const},
		{title: 'NOTE', width: 'grow' as const, cell: () => ['a note that is long'] as const},
	];
	const rows = [{name: 'first'}, {name: 'second one'}];
	const table = (width: number) => (
		<Box flexDirection="column" width={width}>
			<Table columns={columns} width={width} rows={rows} idOf={({name}) => name} selected={rows[1]} />
		</Box>
	);

	it('marks the selected row, cuts its cells and gives the rest of the width to the growing column', () => {
		expect(renderToString(table(20), {columns: 20}).split('\n')).toEqual([
			' NAME  AGE NOTE',
			' first  9m a note t…',
			'>seco…  9m a note t…',
		]);
	});

	it('omits columns if it is too narrow for them', () => {
		expect(renderToString(table(11), {columns: 11})).not.toContain('9m');
	});

	it('is read out row by row, with the selected row', () => {
		expect(readOut(table(30))).toMatch(/table:[\s\S]*\(selected\)[\s\S]*seco/);
	});
});

describe('a log', () => {
	const lines = ['one', 'two needle', 'three'];

	it('shows the lines of its window and the number of lines', () => {
		const {lastFrame} = render(
			<Box height={5} width={40}>
				<Log
					lines={lines}
					start={0}
					left={0}
					search=""
					stream="stdout"
					isLive
					total={1204}
					kept={1000}
					removed={2}
				/>
			</Box>,
		);
		expect(lastFrame()).toBe(
			['one', 'two needle', 'three', '', '▼ live · 1,204 lines · the last 1,000 k…'].join('\n'),
		);
	});

	it('scrolls sideways', () => {
		const {lastFrame} = render(
			<Box height={4} width={40}>
				<Log
					lines={lines}
					start={0}
					left={2}
					search=""
					stream="stdout"
					isLive={false}
					total={3}
					kept={3}
					removed={0}
				/>
			</Box>,
		);
		expect(lastFrame()?.split('\n')).toEqual(['e', 'o needle', 'ree', '· ended · 3 lines']);
	});
});

describe('choices', () => {
	it('state which one is chosen', () => {
		const options = [
			{label: '1 unit', value: '1'},
			{label: '5 units', value: '5'},
		];
		const choices = <Choices options={options} selected={1} isFocused height={5} />;
		expect(render(choices).lastFrame()).toBe('( ) 1 unit   (•) 5 units');
		expect(readOut(choices)).toContain('radio: (checked)');
	});
});

describe('text on the screen', () => {
	it('is sanitized, whatever its source', () => {
		const {lastFrame} = render(<SafeText>{'a\x1b[2Jb\x1b]52;c;eA==\x07c\nd\u202ee'}</SafeText>);
		expect(lastFrame()).toBe('abc d<U+202E>e');
	});

	it('is drawn by one component only', () => {
		const folder = 'source/dashboard';
		const drawing = readdirSync(folder, {recursive: true, encoding: 'utf8'})
			.filter(file => file.endsWith('.tsx'))
			.filter(file => /\bText\b.*from 'ink'/.test(readFileSync(join(folder, file), 'utf8')));
		// Program rows are drawn from the cells of a screen. The offer to make a colony runs before the
		// dashboard, and shows one sanitized path.
		expect(drawing.toSorted()).toEqual([
			'components/program-rows.tsx',
			'components/safe-text.tsx',
			'offer-init.tsx',
		]);
	});
});

describe('the dashboard', () => {
	const open = () => {
		const store = createStore(loadedState({columns: 100, rows: 30}));
		const presses: InputEvent[] = [];
		const screen = render(
			<App
				store={store}
				theme="dark"
				header={createFixtureWorld().world.header}
				onInput={press => presses.push(press)}
			/>,
		);
		return {...screen, store, presses};
	};

	it('receives keys, pastes and the wheel in one place, as they are typed', async () => {
		const {stdin, presses} = open();
		await new Promise(setImmediate);
		for (const input of ['aK\x04', '\t', '\x1b[A', '\x1b[200~', 'q\r', '\x1b[201~', '\x1b[<65;3;4M'])
			stdin.write(input);
		expect(presses).toEqual([
			{kind: 'key', name: 'a', text: 'a'},
			{kind: 'key', name: 'K', text: 'K'},
			{kind: 'key', name: 'ctrl+d'},
			{kind: 'key', name: 'tab'},
			{kind: 'key', name: 'up'},
			{kind: 'paste', text: 'q\r'},
			{
				kind: 'wheel',
				rows: 3,
				on: [{kind: 'pane', pane: 'traces'}],
			},
		]);
	});

	it('draws a change of the store, and no frame if no part of the screen has changed', async () => {
		const {store, frames, lastFrame} = open();
		await new Promise(setImmediate);
		store.dispatch(state => ({...state, tab: 'runs'}));
		await expect.poll(lastFrame).toContain('Runs 1 of 4');
		// From here on the memoized selectors belong to this store.
		store.dispatch(state => ({...state}));
		const drawn = await settledCount(frames);
		store.dispatch(logReceived('another run', 'stdout', [{text: 'not shown\n'}]));
		store.dispatch(state => ({...state, interruptedAt: 1}));
		expect(await settledCount(frames)).toBe(drawn);
	});
});

/** Returns the number of frames after several turns without a new frame. */
const settledCount = async (frames: readonly string[]): Promise<number> => {
	for (let quiet = 0, count = frames.length; quiet < 10; quiet += 1) {
		await new Promise(setImmediate);
		if (frames.length === count) continue;
		[quiet, count] = [0, frames.length];
	}
	return frames.length;
};

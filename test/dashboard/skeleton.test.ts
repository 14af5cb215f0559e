import xterm from '@xterm/headless';
import {describe, expect, it} from 'vitest';
import {paintSkeleton, wipeSkeleton} from '../../source/dashboard/skeleton.ts';
import {select} from '../../source/dashboard/store/list-changes.ts';
import {focusPane} from '../../source/dashboard/store/pane-changes.ts';
import {buildTask, buildTrace, mapOf} from './build-trace.ts';
import {loadedState, textOf} from './screen-of.ts';

const paint = async (columns: number, rows: number) => {
	const terminal = new xterm.Terminal({cols: columns, rows, allowProposedApi: true});
	let written = '';
	paintSkeleton(
		text => {
			written += text;
		},
		{columns, rows},
	);
	await new Promise<void>(resolve => terminal.write(written, resolve));
	const {active} = terminal.buffer;
	return Array.from({length: rows}, (_, row) => active.getLine(row)?.translateToString() ?? '');
};

/** Returns the outline alone: corners and sides, at their places in the frame. */
const outline = (rows: readonly string[]): string[] =>
	rows.map(row => [...row].map(sign => ('┌┐┘│'.includes(sign) ? sign : ' ')).join(''));

describe('the skeleton', () => {
	it.each([
		[120, 36],
		[80, 24],
		[60, 15],
		[200, 50],
	])('outlines the panes where the first frame puts them, at %ix%i', async (columns, rows) => {
		// A trace that waits for a decision has its sheet in the lower half, unless a task has the focus.
		// With many traces the lists have all the rows that they can get.
		const state = loadedState({columns, rows});
		const others = Array.from({length: 30}, (_, index) =>
			buildTrace(`t${index}`, {tasks: [buildTask('a', {status: 'running'})]}),
		);
		const crowded = {...state, traces: new Map([...state.traces, ...mapOf(...others)])};
		const loaded = select('tasks', 'ui')(crowded);
		const frame = textOf(focusPane('tasks')(loaded));
		expect(outline(await paint(columns, rows)).slice(0, rows - 1)).toEqual(outline(frame));
	});

	it('draws no outline where there is no room', async () => {
		expect((await paint(40, 10)).join('')).not.toContain('┌');
	});

	it('can be erased if no frame follows', () => {
		let written = '';
		wipeSkeleton(text => {
			written += text;
		});
		expect(written).toBe('\x1b[?25h\x1b[?1049l');
	});
});

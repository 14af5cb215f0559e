import fc from 'fast-check';
import {expect, test} from 'vitest';
import {enterSequence, freshSequence, leaveSequence} from '../../source/screen/leave.ts';
import {attach, openScreen} from './attach.ts';
import {stateOf} from './state-of.ts';
import {stream} from './streams.ts';

const size = {columns: 20, rows: 6};

test('leaving a session restores a sane terminal on a fresh line, whatever modes the program set', () => {
	fc.assert(
		fc.property(stream, written => {
			const person = openScreen(size);
			person.screen.write(Buffer.from(`\x1b]2;mine\x07${enterSequence()}`));
			const program = openScreen(size);
			program.screen.write(written);
			person.screen.write(program.screen.snapshot({scrollback: 0}));
			person.screen.write(Buffer.from(leaveSequence()));
			const {modes, cursor, active, pen, mouse, keyboard, charsets, shift, frames, ...rest} = stateOf(
				person.model,
			);
			const fresh = stateOf(openScreen(size).model);
			expect({modes, pen, mouse, keyboard, charsets, shift, active, regions: frames[0]?.region}).toEqual({
				modes: fresh.modes,
				pen: fresh.pen,
				mouse: fresh.mouse,
				keyboard: fresh.keyboard,
				charsets: fresh.charsets,
				shift: fresh.shift,
				active: 'normal',
				regions: fresh.frames[0]?.region,
			});
			expect(cursor).toEqual([0, 5]);
			expect([rest.isCursorHidden, rest.blinks, rest.returns, rest.link]).toEqual([
				false,
				false,
				false,
				undefined,
			]);
			expect(person.screen.text().at(-1)).toBe('');
		}),
		{numRuns: 500},
	);
});

test('a used terminal shows a snapshot exactly after a reset', () => {
	fc.assert(
		fc.property(stream, stream, (before, written) => {
			const viewer = openScreen(size);
			const other = openScreen(size);
			other.screen.write(before);
			viewer.screen.write(other.screen.snapshot({scrollback: 0}));
			const program = openScreen(size);
			program.screen.write(written);
			viewer.screen.write(Buffer.from(freshSequence()));
			viewer.screen.write(program.screen.snapshot({scrollback: 0}));
			const shown = ({
				normal,
				alternate,
				cursor,
				pen,
				mouse,
				modes,
				isCursorHidden,
			}: ReturnType<typeof stateOf>) => ({normal, alternate, cursor, pen, mouse, modes, isCursorHidden});
			expect(shown(stateOf(viewer.model, 0))).toEqual(shown(stateOf(program.model, 0)));
		}),
		{numRuns: 500},
	);
});

test('attaching opens no mode that a fresh terminal lacks', () => {
	const viewer = attach(openScreen(size));
	expect(stateOf(viewer.model)).toEqual(stateOf(openScreen(size).model));
});

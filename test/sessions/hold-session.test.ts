import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {encodeViewerMessage} from '../../source/sessions/protocol.ts';
import {stream} from '../screen/streams.ts';
import {heldSession, key} from './held-session.ts';
import {createLinkedPair} from './linked-pair.ts';

const mebibyte = 1024 * 1024;

describe('a viewer of a session', () => {
	it('has the current screen at once and from then on, whatever the program writes and however it arrives', () => {
		fc.assert(
			fc.property(
				fc.array(stream, {minLength: 1, maxLength: 4}),
				fc.integer({min: 1, max: 200}),
				(outputs, piece) => {
					const {print, look, state} = heldSession({columns: 20, rows: 6});
					const [first = '', ...later] = outputs;
					print(first);
					const viewers = [look(), look({piece}), look({piece: 1, types: false})];
					for (const viewer of viewers) expect(viewer.state()).toEqual(state());
					for (const output of later) print(output);
					for (const viewer of viewers) expect(viewer.state()).toEqual(state());
				},
			),
			{numRuns: 200},
		);
	});

	it('is counted', () => {
		const {look, attendance} = heldSession();
		const [one] = [look(), look({types: false})];
		one.leave();
		expect(attendance).toEqual([1, 2, 1]);
	});

	it('receives how its program ended, and is disconnected', async () => {
		const {look, end, over, print} = heldSession();
		const viewers = [look(), look({types: false})];
		print('Bye.');
		end(7);
		for (const viewer of viewers) {
			expect(viewer.end()).toEqual({why: 'exit', exitCode: 7});
			expect(viewer.text()).toBe('Bye.');
		}
		expect(await over).toBe(7);
	});

	it('without the key is refused and sees no output', () => {
		const {look, print, typed, attendance} = heldSession();
		const stranger = look({key: `${key}!`});
		stranger.type('rm -rf /\r');
		print('secret');
		expect(stranger.end()).toMatchObject({why: 'refused'});
		expect([stranger.bytes(), typed(), attendance]).toEqual([0, '', []]);
	});

	it('identifies itself before it sends any other message', () => {
		const {join, typed, print} = heldSession();
		for (const said of [
			Buffer.from('GET / HTTP/1.1\r\n\r\n'),
			Uint8Array.of(255, 255, 255, 255, 1),
			Uint8Array.of(0, 0, 0, 3, 1, 0x7b, 0x7d),
		]) {
			const [holderEnd, strangerEnd] = createLinkedPair();
			let isOver = false;
			strangerEnd.onEnd(() => {
				isOver = true;
			});
			strangerEnd.onData(() => {});
			join(holderEnd);
			strangerEnd.send(said);
			expect(isOver).toBe(true);
		}
		const [holderEnd, mute] = createLinkedPair();
		let told = 0;
		mute.onData(bytes => {
			told += bytes.length;
		});
		join(holderEnd);
		mute.send(encodeViewerMessage({kind: 'input', bytes: Buffer.from('x')}));
		print('still here');
		expect([typed(), told]).toEqual(['', 0]);
	});

	it('may send messages that this version does not know', () => {
		const {look, typed, join} = heldSession();
		const [holderEnd, newer] = createLinkedPair();
		newer.onData(() => {});
		join(holderEnd);
		const hello = {kind: 'hello', v: 9, key, types: true, scrollback: 0, columns: 40, rows: 8} as const;
		newer.send(encodeViewerMessage(hello));
		newer.send(Uint8Array.of(0, 0, 0, 2, 60, 1));
		newer.send(encodeViewerMessage({kind: 'input', bytes: Buffer.from('hi')}));
		expect(typed()).toBe('hi');
		expect(look().end()).toBeUndefined();
	});

	it('has the same screen as the program for output that is no text', () => {
		const bytes = fc.array(fc.oneof(fc.uint8Array({maxLength: 40}), stream), {minLength: 2, maxLength: 6});
		fc.assert(
			fc.property(bytes, outputs => {
				const {print, look, state} = heldSession({columns: 20, rows: 6});
				const early = look();
				const [first = '', ...later] = outputs;
				print(first);
				const late = look();
				for (const output of later) print(output);
				expect(early.state()).toEqual(state());
				expect(late.state()).toEqual(state());
			}),
			{numRuns: 200},
		);
	});

	it('loses its place to others if it sends nothing', () => {
		const {join, look} = heldSession();
		const ends = Array.from({length: 100}, () => {
			const [holderEnd, mute] = createLinkedPair();
			let isOver = false;
			mute.onEnd(() => {
				isOver = true;
			});
			join(holderEnd);
			return () => isOver;
		});
		expect(look().end()).toBeUndefined();
		const still = ends.filter(isOver => !isOver());
		expect(still.length).toBeLessThanOrEqual(32);
		expect(ends.at(-1)?.()).toBe(false);
	});

	it('is disconnected if too many viewers send nothing', () => {
		const {look} = heldSession();
		const viewers = Array.from({length: 40}, () => look({types: false}));
		const cut = viewers.filter(viewer => viewer.end() !== undefined);
		expect(cut.length).toBeGreaterThan(0);
		expect(cut.at(-1)?.end()).toEqual({
			why: 'refused',
			reason: '32 viewers look at it already, which is the limit.',
		});
		viewers[0]?.leave();
		expect(look().end()).toBeUndefined();
	});
});

describe('the size of a session', () => {
	it('is that of the viewer who typed last, and every other viewer gets a new screen', () => {
		const {look, sizes, print, state} = heldSession({columns: 40, rows: 8});
		print('\x1b[31mred\x1b[0m and plain');
		const one = look({columns: 60, rows: 10});
		const other = look({columns: 50, rows: 9});
		expect(sizes).toEqual([
			{columns: 60, rows: 10},
			{columns: 50, rows: 9},
		]);
		one.type('x');
		expect(sizes.at(-1)).toEqual({columns: 60, rows: 10});
		one.type('y');
		expect(sizes).toHaveLength(3);
		for (const viewer of [one, other]) {
			expect(viewer.screens.at(-1)).toEqual({columns: 60, rows: 10});
			expect(viewer.state()).toEqual(state());
		}
	});

	it('follows the terminal of the leading viewer only, and falls back when that viewer leaves', () => {
		const {look, sizes} = heldSession();
		const one = look({columns: 60, rows: 10});
		const other = look({columns: 50, rows: 9});
		one.resize({columns: 70, rows: 11});
		expect(sizes.at(-1)).toEqual({columns: 50, rows: 9});
		other.resize({columns: 51, rows: 9});
		expect(sizes.at(-1)).toEqual({columns: 51, rows: 9});
		other.leave();
		expect(sizes.at(-1)).toEqual({columns: 70, rows: 11});
		one.leave();
		expect(sizes.at(-1)).toEqual({columns: 70, rows: 11});
	});

	it('does not change if a terminal only reports its focus', () => {
		const {look, sizes, typed} = heldSession();
		const one = look({columns: 60, rows: 10});
		look({columns: 50, rows: 9});
		for (const report of ['\x1b[I', '\x1b[O']) one.type(report);
		expect(sizes.at(-1)).toEqual({columns: 50, rows: 9});
		expect(typed()).toBe('\x1b[I\x1b[O');
	});

	it('is the last requested size after many changes, for all viewers', () => {
		const {look, sizes, state} = heldSession();
		const [one, other] = [look(), look({types: false})];
		for (let at = 0; at < 500; at++) one.resize({columns: 2 + (at % 200), rows: 1 + (at % 50)});
		expect(sizes.at(-1)).toEqual({columns: 2 + (499 % 200), rows: 50});
		expect(other.state()).toEqual(state());
	});

	it('does not depend on a viewer who only watches', () => {
		const {look, sizes, typed} = heldSession();
		const reader = look({types: false, columns: 99, rows: 30});
		reader.type('x');
		reader.resize({columns: 98, rows: 29});
		expect([sizes, typed()]).toEqual([[], '']);
		expect(reader.screens).toEqual([{columns: 40, rows: 8}]);
	});
});

describe('a viewer that does not read', () => {
	it('uses bounded memory, gets the whole screen when it reads again, and delays no other viewer', () => {
		const {look, print, state} = heldSession();
		const [stuck, live] = [look(), look()];
		stuck.hold(true);
		for (let at = 0; at < 400; at++) {
			print(`\x1b[3${at % 8}m${at} ${'x'.repeat(10_000)}\r\n`);
			expect(live.state()).toEqual(state());
		}
		expect(stuck.unsent()).toBeLessThan(2 * mebibyte);
		stuck.hold(false);
		expect(stuck.unsent()).toBe(0);
		expect(stuck.state()).toEqual(state());
		print('\r\nand on');
		expect(stuck.state()).toEqual(state());
	});

	it('uses bounded memory also during many size changes', () => {
		const {look, print, state} = heldSession({columns: 200, rows: 50});
		print(Array.from({length: 50}, (_, at) => `\x1b[3${at % 8}m${'#'.repeat(199)}`).join('\r\n'));
		const [stuck, live] = [look(), look()];
		stuck.hold(true);
		for (let at = 0; at < 500; at++) live.resize({columns: 150 + (at % 50), rows: 50});
		expect(stuck.unsent()).toBeLessThan(2 * mebibyte);
		stuck.hold(false);
		expect(stuck.state()).toEqual(state());
	});

	it('receives the end of the session when it reads again', () => {
		const {look, print, end} = heldSession();
		const stuck = look();
		stuck.hold(true);
		for (let at = 0; at < 30; at++) print('x'.repeat(65_536));
		end(3);
		expect(stuck.end()).toBeUndefined();
		stuck.hold(false);
		expect(stuck.end()).toEqual({why: 'exit', exitCode: 3});
	});
});

describe('typed input', () => {
	it('reaches the program byte for byte and in order, from all viewers', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.boolean(), fc.string({unit: 'binary', minLength: 1}))),
				fc.integer({min: 1, max: 9}),
				(strokes, piece) => {
					const {look, typed} = heldSession();
					const [one, other] = [look({piece}), look()];
					for (const [isOne, keys] of strokes) (isOne ? one : other).type(keys);
					expect(typed()).toBe(strokes.map(([, keys]) => keys).join(''));
				},
			),
		);
	});

	it('may be a paste of ten megabytes', () => {
		const {look, typed} = heldSession();
		const paste = `\x1b[200~${'0123456789'.repeat(mebibyte)}\x1b[201~`;
		look().type(paste);
		expect(typed() === paste).toBe(true);
	});

	it('stays in the terminal of the typist once much of it waits, and is not lost', () => {
		const {look, typed, leaveUnread} = heldSession();
		const one = look();
		leaveUnread(2 * mebibyte);
		const strokes = Array.from({length: 20}, () => one.type('x'.repeat(mebibyte)));
		expect(strokes.slice(0, 16)).not.toContain(false);
		expect(strokes.at(-1)).toBe(false);
		const before = one.taken();
		leaveUnread(0);
		expect(one.taken()).toBe(before + 1);
		expect(typed()).toHaveLength(20 * mebibyte);
		expect(one.type('y')).toBe(true);
	});

	it('waits while the program does not read, and is not lost', () => {
		const {look, typed, leaveUnread, print, state} = heldSession();
		const [one, other] = [look(), look()];
		leaveUnread(2 * mebibyte);
		one.type('a');
		one.type('b');
		other.type('c');
		expect(typed()).toBe('a');
		print('still shown');
		expect(one.state()).toEqual(state());
		leaveUnread(0);
		expect(typed()).toHaveLength(3);
		one.type('d');
		expect(typed()).toMatch(/^a(bc|cb)d$/);
	});
});

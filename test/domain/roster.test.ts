import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Roster} from '../../source/domain/roster.ts';

/** Returns one bit for each of eight groups. */
const markOf = (item: number): number => 1 << (item % 8);
const ids = ['a', 'b', 'c', 'd', '__proto__', '7'];
/** A step copies one of the earlier rosters, and sets an item in the copy. */
const step = fc.record({from: fc.nat(20), id: fc.constantFrom(...ids), item: fc.nat(99)});

test('a roster and its copies behave like independent maps after changes to any of them', () => {
	fc.assert(
		fc.property(fc.array(step, {maxLength: 40}), steps => {
			const rosters = [Roster.of<number>([], String, markOf)];
			const maps = [new Map<string, number>()];
			for (const {from, id, item} of steps) {
				const at = from % rosters.length;
				const roster = rosters[at]!.copy();
				roster.put(id, item);
				rosters.push(roster);
				maps.push(new Map(maps[at]).set(id, item));
			}
			for (const [at, map] of maps.entries()) {
				const roster = rosters[at]!;
				expect([...roster]).toEqual([...map]);
				expect([...roster.keys()]).toEqual([...map.keys()]);
				expect([...roster.values()]).toEqual([...map.values()]);
				expect(roster.size).toBe(map.size);
				for (const id of ids) {
					expect(roster.get(id)).toBe(map.get(id));
					expect(roster.has(id)).toBe(map.has(id));
				}
			}
		}),
	);
});

/** Returns a roster of numbered items that fill several of its blocks. */
const numbered = (count: number): Roster<number> =>
	Roster.of(
		Array.from({length: count}, (_, index) => index),
		String,
		markOf,
	);

test('a roster finds its items by their marks in order, however they were changed', () => {
	const change = fc.record({at: fc.nat(299), item: fc.nat(999)});
	fc.assert(
		fc.property(fc.array(change, {maxLength: 30}), fc.nat(255), (changes, marks) => {
			const roster = numbered(300).copy();
			for (const {at, item} of changes) roster.put(String(at), item);
			const isMarked = (item: number) => (markOf(item) & marks) !== 0;
			expect([...roster.having(marks)]).toEqual([...roster.values()].filter(isMarked));
			expect(roster.hasAny(marks)).toBe([...roster.values()].some(isMarked));
		}),
	);
});

test('a roster lists the changed and new items since the roster that it was copied from', () => {
	fc.assert(
		fc.property(fc.uniqueArray(fc.nat(350), {maxLength: 30}), places => {
			const before = numbered(300);
			const after = before.copy();
			const order = places.toSorted((one, other) => one - other);
			const put = order.map((place, index) => (place < 300 ? place : 300 + index));
			for (const place of put) after.put(String(place), -1 - place);
			const changed = [...after.changedSince(before)].toSorted((one, other) => other - one);
			expect(changed).toEqual(put.map(place => -1 - place));
			expect([...after.changedSince(after)]).toEqual([]);
			expect([...after.changedSince(undefined)]).toHaveLength(after.size);
		}),
	);
});

import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Roster} from '../../source/domain/roster.ts';

const ids = ['a', 'b', 'c', 'd', '__proto__', '7'];
/** Copies one of the rosters made so far, and puts something into the copy. */
const step = fc.record({from: fc.nat(20), id: fc.constantFrom(...ids), item: fc.nat(99)});

test('a roster and all its copies each read like a map of their own, whatever is put into the others', () => {
	fc.assert(
		fc.property(fc.array(step, {maxLength: 40}), steps => {
			const rosters = [Roster.of<number>([], String)];
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

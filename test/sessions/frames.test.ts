import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
	concat,
	createFrameReader,
	encodeFrame,
	type Frame,
	maxFrameBytes,
} from '../../source/sessions/frames.ts';

const read = (parts: readonly Uint8Array[]) => {
	const frames: Frame[] = [];
	let broken = 0;
	const push = createFrameReader(
		({type, content}) => void frames.push({type, content: content.slice()}),
		() => {
			broken++;
		},
	);
	for (const part of parts) push(part);
	return {frames, broken};
};

const split = (bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] => {
	const ends = [0, ...cuts.map(cut => cut % (bytes.length + 1)).toSorted((one, other) => one - other)];
	return [...ends, bytes.length].slice(1).map((end, at) => bytes.subarray(ends[at], end));
};

const someFrames = fc.array(fc.record({type: fc.nat(255), content: fc.uint8Array({maxLength: 40})}));

describe('a frame decoder', () => {
	it('returns the same frames, however the bytes arrive', () => {
		fc.assert(
			fc.property(someFrames, fc.array(fc.nat()), (frames, cuts) => {
				const sent = frames.map(({type, content}) => encodeFrame(type, content));
				const bytes = concat(
					sent,
					sent.reduce((sum, {length}) => sum + length, 0),
				);
				expect(read(split(bytes, cuts))).toEqual({frames, broken: 0});
			}),
		);
	});

	it('accepts frames up to the maximum length, byte for byte', () => {
		const content = new Uint8Array(maxFrameBytes - 1).fill(7);
		const bytes = encodeFrame(3, content);
		const {frames, broken} = read(split(bytes, [1, 4, 5, 6, 70_000, 1_000_000]));
		expect([frames.length, broken]).toEqual([1, 0]);
		expect(Buffer.compare(frames[0]?.content ?? new Uint8Array(), content)).toBe(0);
	});

	it('stops at a frame that is too long or has no length, and reports it once', () => {
		const tooLong = encodeFrame(1, new Uint8Array(maxFrameBytes));
		const ofNoLength = new Uint8Array(5);
		const huge = Uint8Array.of(255, 255, 255, 255, 1, 2, 3);
		const good = encodeFrame(2, Uint8Array.of(1));
		for (const bad of [tooLong, ofNoLength, huge]) {
			const head = bad.subarray(0, 5);
			expect(read([good, head, good, good])).toEqual({
				frames: [{type: 2, content: Uint8Array.of(1)}],
				broken: 1,
			});
		}
	});

	it('never throws, whatever bytes arrive', () => {
		fc.assert(
			fc.property(fc.array(fc.uint8Array({maxLength: 200})), parts => {
				expect(read(parts).broken).toBeLessThanOrEqual(1);
			}),
		);
	});
});

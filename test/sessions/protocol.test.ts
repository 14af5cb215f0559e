import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createFrameReader, type Frame} from '../../source/sessions/frames.ts';
import {
	encodeHolderMessage,
	encodeViewerMessage,
	type HolderMessage,
	readHolderMessage,
	readViewerMessage,
	type ViewerMessage,
} from '../../source/sessions/protocol.ts';

const frameOf = (encoded: Uint8Array): Frame => {
	const frames: Frame[] = [];
	createFrameReader(
		frame => void frames.push(frame),
		() => {},
	)(encoded);
	const [frame] = frames;
	if (frame === undefined || frames.length > 1) throw new Error(`Expected one frame, got ${frames.length}.`);
	return frame;
};

const count = fc.maxSafeNat();
const extent = fc.integer({min: 1, max: 1000});
const size = {columns: extent, rows: extent};
const text = fc.string({unit: 'binary'});
const bytes = fc.uint8Array();

const viewerMessage: fc.Arbitrary<ViewerMessage> = fc.oneof(
	fc.record({
		...{kind: fc.constant('hello' as const), v: count, key: text, types: fc.boolean(), scrollback: count},
		...size,
	}),
	fc.record({kind: fc.constant('input' as const), bytes}),
	fc.record({kind: fc.constant('resize' as const), ...size}),
	fc.record({kind: fc.constant('send' as const), n: count, text, submit: fc.boolean()}),
);
const holderMessage: fc.Arbitrary<HolderMessage> = fc.oneof(
	fc.record({kind: fc.constant('welcome' as const), v: count, pid: count}),
	fc.record({kind: fc.constant('screen' as const), ...size}),
	fc.record({kind: fc.constant('output' as const), bytes}),
	fc.record({kind: fc.constant('end' as const), exitCode: fc.integer()}),
	fc.record({kind: fc.constant('answer' as const), n: count}),
	fc.record({kind: fc.constant('answer' as const), n: count, problem: text}),
	fc.record({kind: fc.constant('refused' as const), reason: text}),
);

describe('a message of the session protocol', () => {
	it('is decoded as it was encoded', () => {
		fc.assert(
			fc.property(viewerMessage, message => {
				expect(readViewerMessage(frameOf(encodeViewerMessage(message)))).toEqual(message);
			}),
		);
		fc.assert(
			fc.property(holderMessage, message => {
				expect(readHolderMessage(frameOf(encodeHolderMessage(message)))).toEqual(message);
			}),
		);
	});

	it('from one side is invalid for the same side', () => {
		fc.assert(
			fc.property(viewerMessage, holderMessage, (ofViewer, ofHolder) => {
				expect(readHolderMessage(frameOf(encodeViewerMessage(ofViewer)))).toBeUndefined();
				expect(readViewerMessage(frameOf(encodeHolderMessage(ofHolder)))).toBeUndefined();
			}),
		);
	});

	it('is invalid if a field is missing or out of its bounds', () => {
		const hello = {v: 1, key: 'k', types: true, scrollback: 0, columns: 80, rows: 24};
		const unfit: readonly (readonly [type: number, fields: unknown])[] = [
			...[
				{key: undefined},
				{key: 7},
				{v: -1},
				{v: 1.5},
				{columns: 0},
				{columns: 1001},
				{rows: '24'},
				{rows: 1e300},
			].map(change => [1, {...hello, ...change}] as const),
			[3, {columns: 80}],
			[3, null],
			[3, [80, 24]],
			[4, {n: 1}],
			[4, {n: -1, text: 'x'}],
			[9, hello],
		];
		for (const [type, fields] of unfit) {
			const content = Buffer.from(JSON.stringify(fields));
			expect(readViewerMessage({type, content}), JSON.stringify(fields)).toBeUndefined();
		}
	});

	it('that is malformed decodes to nothing and never throws', () => {
		fc.assert(
			fc.property(
				fc.nat(255),
				fc.oneof(
					bytes,
					fc.json().map(json => Buffer.from(json)),
				),
				(type, content) => {
					const message = readViewerMessage({type, content});
					if (type !== 2) expect(message === undefined || [1, 3, 4].includes(type)).toBe(true);
					readHolderMessage({type, content});
				},
			),
		);
	});
});

/**
 * A frame on the socket of a session: the length of the rest (4 bytes, big-endian), a type (1 byte), and the
 * content. The type decides if the content is bytes or one JSON object. Unknown types are skipped, so either
 * side may be newer.
 */
export type Frame = {readonly type: number; readonly content: Uint8Array};

/** Max bytes of a frame. A sender of a longer one is cut off. */
export const maxFrameBytes = 1024 * 1024;

const head = 5;

export const encodeFrame = (type: number, content: Uint8Array): Uint8Array => {
	const frame = new Uint8Array(head + content.length);
	new DataView(frame.buffer).setUint32(0, 1 + content.length);
	frame[4] = type;
	frame.set(content, head);
	return frame;
};

/**
 * Calls back for each frame, however the bytes are split. Call the returned function with each piece of
 * bytes.
 * @param onBroken called once when the bytes are not a frame; no call follows it
 */
export const createFrameReader = (
	onFrame: (frame: Frame) => void,
	onBroken: () => void,
): ((bytes: Uint8Array) => void) => {
	let pieces: Uint8Array[] = [];
	let held = 0;
	let wanted = head;
	let isBroken = false;
	return bytes => {
		if (isBroken) return;
		pieces.push(bytes);
		held += bytes.length;
		if (held < wanted) return;
		let remaining = pieces.length === 1 ? bytes : concat(pieces, held);
		for (wanted = head; remaining.length >= head; ) {
			const length = new DataView(remaining.buffer, remaining.byteOffset).getUint32(0);
			if (length < 1 || length > maxFrameBytes) {
				isBroken = true;
				pieces = [];
				return onBroken();
			}
			wanted = 4 + length;
			if (remaining.length < wanted) break;
			onFrame({type: remaining[4] ?? 0, content: remaining.subarray(head, wanted)});
			remaining = remaining.subarray(wanted);
			wanted = head;
		}
		// A copy, so that a few bytes do not keep a large piece in memory.
		pieces = remaining.length === 0 ? [] : [remaining.slice()];
		held = remaining.length;
	};
};

export const concat = (pieces: readonly Uint8Array[], length: number): Uint8Array => {
	const all = new Uint8Array(length);
	let at = 0;
	for (const piece of pieces) {
		all.set(piece, at);
		at += piece.length;
	}
	return all;
};

import {type JsonObject, parseObject} from '../domain/json.ts';
import {encodeFrame, type Frame} from './frames.ts';

/**
 * Messages on the socket of a session. A viewer begins with `hello`. The answer is `welcome` and the present
 * screen; then the program's output follows. Each side names its protocol version. The holder of a session
 * stays when hive is replaced, so a viewer uses the version in its `welcome`.
 */
export const sessionProtocol = 1;

export type Size = {readonly columns: number; readonly rows: number};

/** A message of a viewer. */
export type ViewerMessage =
	/**
	 * `types`: its input goes to the program, which gets its size. `scrollback`: number of rows above the
	 * screen that it requests.
	 */
	| ({
			readonly kind: 'hello';
			readonly v: number;
			readonly key: string;
			readonly types: boolean;
			readonly scrollback: number;
	  } & Size)
	| {readonly kind: 'input'; readonly bytes: Uint8Array}
	| ({readonly kind: 'resize'} & Size)
	/**
	 * Text to type on behalf of a person who is not at the session. `submit`: followed by Enter. The answer has
	 * the same `n`.
	 */
	| {readonly kind: 'send'; readonly n: number; readonly text: string; readonly submit: boolean};

/** A message of the holder. */
export type HolderMessage =
	| {readonly kind: 'welcome'; readonly v: number; readonly pid: number}
	/** The output that follows starts on an empty screen of this size. */
	| ({readonly kind: 'screen'} & Size)
	| {readonly kind: 'output'; readonly bytes: Uint8Array}
	/** The program is gone. */
	| {readonly kind: 'end'; readonly exitCode: number}
	| {readonly kind: 'answer'; readonly n: number; readonly problem?: string}
	/** The reason, in words for people. The link ends. */
	| {readonly kind: 'refused'; readonly reason: string};

const viewerTypes = {hello: 1, input: 2, resize: 3, send: 4} as const;
const holderTypes = {welcome: 64, screen: 65, output: 66, end: 67, answer: 68, refused: 69} as const;

export const encodeViewerMessage = (message: ViewerMessage): Uint8Array =>
	encode(viewerTypes[message.kind], message);

export const encodeHolderMessage = (message: HolderMessage): Uint8Array =>
	encode(holderTypes[message.kind], message);

const encode = (type: number, message: ViewerMessage | HolderMessage): Uint8Array => {
	if ('bytes' in message) return encodeFrame(type, message.bytes);
	const {kind: _, ...fields} = message;
	return encodeFrame(type, new TextEncoder().encode(JSON.stringify(fields)));
};

/**
 * Reads a message. Any content may arrive on the socket, so all of it is checked. Returns undefined for a
 * message that this version does not know.
 */
export const readViewerMessage = ({type, content}: Frame): ViewerMessage | undefined => {
	if (type === viewerTypes.input) return {kind: 'input', bytes: content};
	const fields = parseObject(new TextDecoder().decode(content));
	if (fields === undefined) return undefined;
	const {v, key, types, scrollback, n, text, submit} = fields;
	const size = readSize(fields);
	switch (type) {
		case viewerTypes.hello:
			return isCount(v) && typeof key === 'string' && size !== undefined
				? {
						kind: 'hello',
						v,
						key,
						types: types === true,
						scrollback: isCount(scrollback) ? scrollback : 0,
						...size,
					}
				: undefined;
		case viewerTypes.resize:
			return size && {kind: 'resize', ...size};
		case viewerTypes.send:
			return isCount(n) && typeof text === 'string'
				? {kind: 'send', n, text, submit: submit === true}
				: undefined;
		default:
			return undefined;
	}
};

export const readHolderMessage = ({type, content}: Frame): HolderMessage | undefined => {
	if (type === holderTypes.output) return {kind: 'output', bytes: content};
	const fields = parseObject(new TextDecoder().decode(content));
	if (fields === undefined) return undefined;
	const {v, pid, exitCode, n, problem, reason} = fields;
	const size = readSize(fields);
	switch (type) {
		case holderTypes.welcome:
			return isCount(v) && isCount(pid) ? {kind: 'welcome', v, pid} : undefined;
		case holderTypes.screen:
			return size && {kind: 'screen', ...size};
		case holderTypes.end:
			return typeof exitCode === 'number' ? {kind: 'end', exitCode} : undefined;
		case holderTypes.answer:
			return isCount(n) ? {kind: 'answer', n, ...(typeof problem === 'string' ? {problem} : {})} : undefined;
		case holderTypes.refused:
			return {kind: 'refused', reason: String(reason)};
		default:
			return undefined;
	}
};

/** Max columns and rows of a terminal. */
const maxExtent = 1000;

const readSize = ({columns, rows}: JsonObject): Size | undefined =>
	isExtent(columns) && isExtent(rows) ? {columns, rows} : undefined;

const isExtent = (value: unknown): value is number => isCount(value) && value >= 1 && value <= maxExtent;

const isCount = (value: unknown): value is number =>
	typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

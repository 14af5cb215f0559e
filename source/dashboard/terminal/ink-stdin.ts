import {StringDecoder} from 'node:string_decoder';

const enter = 0x0d;

/** Takes input, and returns the rest that is not meant for it. */
export type Listener = (bytes: Uint8Array) => Uint8Array | undefined;

/**
 * The keyboard for Ink, after the filter. While there is a listener, all bytes go to it and none to Ink. Ink
 * gets the input in parts that end with Enter, since the rest may be for a listener by then.
 */
export const inkStdin = (
	stdin: NodeJS.ReadStream,
	listener: () => Listener | undefined,
	filter: (typed: Buffer) => Buffer = typed => typed,
): NodeJS.ReadStream => {
	const decoder = new StringDecoder('utf8');
	let rest: Buffer = Buffer.alloc(0);
	const next = (): Buffer | undefined => {
		if (rest.length > 0) return rest;
		const typed: Buffer | string | null = stdin.read();
		return typed === null ? undefined : filter(Buffer.from(typed));
	};
	const read = (): string | null => {
		for (let typed = next(); typed !== undefined; typed = next()) {
			if (typed.length === 0) continue;
			const listen = listener();
			const end = typed.indexOf(enter) + 1;
			const taken = listen === undefined && end > 0 ? typed.subarray(0, end) : typed;
			rest = typed.subarray(taken.length);
			if (listen === undefined) return decoder.write(taken);
			const remaining = listen(taken);
			if (remaining !== undefined) rest = Buffer.concat([remaining, rest]);
		}
		return null;
	};
	return new Proxy(stdin, {
		get: (target, name) => {
			if (name === 'read') return read;
			if (name === 'setEncoding') return () => target;
			const value = Reflect.get(target, name);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
};

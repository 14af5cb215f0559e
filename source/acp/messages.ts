import type {Readable, Writable} from 'node:stream';
import type {AnyMessage, Stream} from '@agentclientprotocol/sdk/unstable';

/** Maximum size of one message of an agent, in bytes. */
const maxMessageBytes = 16 * 1024 * 1024;
/** Maximum size of all its messages. hive reads no more of a run's output. */
const maxTotalBytes = 256 * 1024 * 1024;
/** Maximum number of lines that are no messages. */
const maxForeignLines = 1000;

const lineFeed = 0x0a;

/**
 * The messages of an agent's program, one JSON object a line. A line that is none is reported and left out,
 * since programs print notes there. Too much of anything ends the connection.
 *
 * @param onForeign called with each line that is no message
 */
export const messagesOf = (output: Readable, input: Writable, onForeign: (line: string) => void): Stream => ({
	readable: ReadableStream.from(readMessages(output, onForeign)) as ReadableStream<AnyMessage>,
	writable: new WritableStream<AnyMessage>({
		write: message =>
			new Promise((resolve, reject) => {
				input.write(`${JSON.stringify(message)}\n`, error => (error ? reject(error) : resolve()));
			}),
	}),
});

async function* readMessages(
	output: AsyncIterable<Uint8Array>,
	onForeign: (line: string) => void,
): AsyncGenerator<AnyMessage> {
	let open: Uint8Array[] = [];
	let [length, total, foreign] = [0, 0, 0];
	const parse = (): AnyMessage | undefined => {
		const line = Buffer.concat(open).toString('utf8').trim();
		open = [];
		length = 0;
		const message = messageIn(line);
		if (line === '' || message !== undefined) return message;
		foreign += 1;
		if (foreign > maxForeignLines) throw new Error('The agent wrote too many lines that are no messages');
		onForeign(line);
		return undefined;
	};
	for await (const part of output) {
		total += part.length;
		if (total > maxTotalBytes) throw new Error(`The agent sent more than ${maxTotalBytes} bytes`);
		let from = 0;
		for (let at = part.indexOf(lineFeed); at >= 0; at = part.indexOf(lineFeed, from)) {
			open.push(part.subarray(from, at));
			from = at + 1;
			const message = parse();
			if (message !== undefined) yield message;
		}
		const rest = part.subarray(from);
		open.push(rest);
		length += rest.length;
		if (length > maxMessageBytes)
			throw new Error(`The agent sent a message of more than ${maxMessageBytes} bytes`);
	}
	const last = parse();
	if (last !== undefined) yield last;
}

const messageIn = (line: string): AnyMessage | undefined => {
	if (!line.startsWith('{')) return undefined;
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
};

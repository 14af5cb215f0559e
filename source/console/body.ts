import {accepted, type Outcome, refuse} from '../domain/errors.ts';

/** Bytes of a body; an event is no larger. */
const largestBody = 256 * 1024;

/** The body as one JSON object; empty where there is none. Refused as soon as it has more bytes than `most`, and as any other type. */
export const readBody = async (
	request: Request,
	most = largestBody,
): Promise<Outcome<Readonly<Record<string, unknown>>>> => {
	const type = request.headers.get('content-type');
	if (Number(request.headers.get('content-length') ?? 0) > most) return refuse('request_too_large');
	const text = await readText(request.body, most);
	if (text === undefined) return refuse('request_too_large');
	if (text === '' && type === null) return accepted({});
	if (!/^application\/json\s*(;|$)/i.test(type ?? ''))
		return refuse('invalid_json', {
			message: 'The body is not said to be JSON.',
			hint: 'Send it with "Content-Type: application/json".',
		});
	try {
		const body: unknown = JSON.parse(text);
		if (typeof body === 'object' && body !== null && !Array.isArray(body)) return accepted({...body});
	} catch {
		// Refused as what is no object.
	}
	return refuse('invalid_json', {hint: 'Send one JSON object.'});
};

const readText = async (
	body: ReadableStream<Uint8Array> | null,
	most: number,
): Promise<string | undefined> => {
	if (body === null) return '';
	const chunks: Uint8Array[] = [];
	let size = 0;
	const reader = body.getReader();
	for (let next = await reader.read(); !next.done; next = await reader.read()) {
		size += next.value.length;
		if (size > most) {
			void reader.cancel();
			return undefined;
		}
		chunks.push(next.value);
	}
	return Buffer.concat(chunks).toString('utf8');
};

import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Call} from './call.ts';
import type {Callers} from './callers.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * Reads the body as one JSON object. A missing body is an empty object. Any other type or value is refused
 * (`invalid_json`).
 */
export const readBody = async ({req}: Call): Promise<Outcome<Body>> => {
	const type = req.header('content-type');
	const text = await req.text();
	if (text === '' && type === undefined) return accepted({});
	if (!/^application\/json\s*(;|$)/i.test(type ?? ''))
		return refuse('invalid_json', {
			message: 'The request does not declare its body as JSON.',
			hint: 'Send it with "Content-Type: application/json".',
		});
	try {
		const body: unknown = JSON.parse(text);
		if (typeof body === 'object' && body !== null && !Array.isArray(body)) return accepted({...body});
	} catch {
		// Refused below, like a value that is not an object.
	}
	return refuse('invalid_json', {hint: 'Send one JSON object.'});
};

/**
 * Reads the body, then checks the caller again: the body may arrive slowly, and the device may be revoked
 * meanwhile.
 */
export const readAuthorizedBody = async (call: Call, callers: Callers): Promise<Outcome<Body>> => {
	const body = await readBody(call);
	const caller = body.ok ? await callers.identify(call) : body;
	return caller.ok ? body : caller;
};

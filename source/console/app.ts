import {Hono} from 'hono';
import {compress} from 'hono/compress';
import {refuse} from '../domain/errors.ts';
import {actionIds} from '../host/actions/table.ts';
import {addresses} from './addresses.ts';
import type {Call, Env} from './call.ts';
import {createCallers} from './callers.ts';
import {logoutPath} from './guard.ts';
import {createLimits} from './limits.ts';
import {admitCallers} from './middleware/admit.ts';
import {limitBody, maxBodyBytes, maxLoginBytes} from './middleware/body-size.ts';
import {forbidCaching, sendSafeHeaders} from './middleware/headers.ts';
import {limitRequests} from './middleware/limit-requests.ts';
import {answerNotModified} from './middleware/not-modified.ts';
import {acceptOwnRequests} from './middleware/own-requests.ts';
import {openApiOf} from './openapi.ts';
import type {ConsoleParts} from './parts.ts';
import {refusedFor} from './problem.ts';
import {reads} from './reads.ts';
import {createReply, type Reply} from './reply.ts';
import {createActionRoutes} from './routes/action.ts';
import {logOut, revokeDevice} from './routes/devices.ts';
import {takeDelivery, webhookPath} from './routes/forge-webhook.ts';
import {createLoginHandler} from './routes/log-in.ts';
import {sendPageFile} from './routes/page-file.ts';
import {answerRead} from './routes/read.ts';
import {markReviewed} from './routes/review-marks.ts';
import {controlRuntime} from './routes/runtime.ts';
import {streamLog} from './routes/stream.ts';

/** The whole API and the files of the page, without a socket. `fetch` answers every request. */
export const createApp = (parts: ConsoleParts): Hono<Env> => {
	const {
		world: services,
		keyFile,
		names,
		cookieName,
		page,
		version,
		runtime,
		limits = createLimits(),
	} = parts;
	const {devices} = keyFile;
	const reply = createReply(services.context.redact);
	const callers = createCallers(parts);
	const answerAction = createActionRoutes(services, callers, reply);
	const limitedBody = limitBody(maxBodyBytes, reply);
	const compressed = compress();
	const app = new Hono<Env>();

	app.use(sendSafeHeaders, forbidCaching, acceptOwnRequests(names, reply));
	for (const [path, file] of Object.entries(page))
		app.get(path, compressed, answerNotModified, sendPageFile(file));
	app.post('/api/login', limitBody(maxLoginBytes, reply), createLoginHandler(parts, callers, reply));
	app.post(webhookPath, takeDelivery(services, reply));

	// The following routes need an authorized caller.
	app.use('/api/*', admitCallers(callers, reply), limitRequests(limits, callers, reply));
	app.post(logoutPath, logOut(devices, cookieName, reply));
	app.delete('/api/devices/:device', revokeDevice(devices, reply));
	app.post('/api/review-marks', limitedBody, markReviewed(services.colony, callers, reply));
	app.post('/api/runtime/start', limitedBody, controlRuntime(runtime.start, callers, reply));
	app.post('/api/runtime/stop', limitedBody, controlRuntime(runtime.stop, callers, reply));
	app.get('/api/openapi.json', call => reply.json(call, openApiOf(reads, version)));
	app.get('/api/stream', streamLog(parts, limits, callers, reply));
	for (const read of reads)
		app.get(read.path, compressed, answerNotModified, answerRead(read, services, reply));
	for (const id of actionIds)
		for (const path of addresses[id].paths) app.post(path, limitedBody, answerAction(id));

	app.notFound(refuseUnknown(app, reply));
	app.onError((error, call) => reply.problem(call, refusedFor(error, services.host.faults).refusal));
	return app;
};

/** Refuses a known path with another method by 405 and `Allow`, and any other path by 404. */
const refuseUnknown = (app: Hono<Env>, reply: Reply) => (call: Call) => {
	const methods = new Set(
		app.routes
			.filter(({method, path}) => method !== 'ALL' && matches(path, call.req.path))
			.map(({method}) => method),
	);
	if (methods.size === 0) return reply.problem(call, refuse('unknown_route').refusal);
	if (methods.has('GET')) methods.add('HEAD');
	const answer = reply.problemAnswerOf(refuse('method_not_allowed').refusal);
	return reply.send(call, answer, {Allow: [...methods].toSorted().join(', ')});
};

const matches = (route: string, path: string): boolean => {
	const parts = path.split('/');
	const names = route.split('/');
	return (
		names.length === parts.length && names.every((name, at) => name.startsWith(':') || name === parts[at])
	);
};

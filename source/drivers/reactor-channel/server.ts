import {createServer, type Socket} from 'node:net';
import {errorMessage} from '../../domain/error-message.ts';
import {HiveError} from '../../domain/errors.ts';
import type {AppendOptions} from '../../ports/bus.ts';
import type {ReactorService} from '../../ports/reactor-channel.ts';
import {listenPrivately} from '../private-socket/listen.ts';
import {createLineWriter, readLines} from './lines.ts';
import {type Answer, changeNotice} from './protocol.ts';
import {parseRequest, type Request} from './request.ts';

type Service = ReactorService & {
	/** Called after a client has changed the store itself. */
	readonly changed: () => void;
};

export type Server = {
	/** Notifies all listeners that the store has changed. */
	readonly notify: () => void;
	/** Cuts all connections and removes the socket. */
	readonly stop: () => Promise<void>;
};

/**
 * Listens on the socket, for this user only. It replaces an existing socket file, so the caller must hold the
 * lock.
 */
export const startServer = async (socket: string, service: Service): Promise<Server> => {
	const listeners = new Set<() => void>();
	const connections = new Set<Socket>();
	const server = createServer(connection => {
		const send = createLineWriter(connection);
		const notifyListener = createChangeNotifier(send);
		connections.add(connection);
		connection.on('error', () => connection.destroy());
		const gone = new AbortController();
		connection.on('close', () => {
			gone.abort();
			connections.delete(connection);
			listeners.delete(notifyListener);
		});
		readLines(connection, line => {
			const parsed = parseRequest(line);
			if ('problem' in parsed) return send(failure(parsed.n, 'usage', parsed.problem));
			if (parsed.request.op === 'listen') listeners.add(notifyListener);
			void answer(parsed.request, service, gone.signal).then(reply => reply && send(reply));
		});
	});
	await listenPrivately(server, socket);
	return {
		notify: () => {
			for (const notifyListener of listeners) notifyListener();
		},
		stop: () =>
			new Promise(resolve => {
				server.close(() => resolve());
				for (const connection of connections) connection.destroy();
			}),
	};
};

/**
 * Notifies one listener. If it does not read, at most one notification is pending, however many changes
 * follow.
 */
const createChangeNotifier = (send: ReturnType<typeof createLineWriter>) => {
	let isUnderWay = false;
	let isPending = false;
	const notifyChange = (): void => {
		isPending = isUnderWay;
		if (isUnderWay) return;
		isUnderWay = true;
		send(changeNotice, () => {
			isUnderWay = false;
			if (isPending) notifyChange();
		});
	};
	return notifyChange;
};

/** Returns the answer; undefined if the request has none. */
const answer = async (
	request: Request,
	service: Service,
	signal: AbortSignal,
): Promise<Answer | undefined> => {
	const {n} = request;
	try {
		switch (request.op) {
			case 'append':
				return {n, ok: true, value: await service.append(request.event, appendOptions(request))};
			case 'emit':
				return {n, ok: true, value: await service.emit(request.event, request.id)};
			case 'answer':
				return {n, ok: true, value: await service.answer(request, signal)};
			case 'ping':
				return {n, ok: true, value: service.status()};
			case 'listen':
				return {n, ok: true};
			case 'changed':
				service.changed();
				return undefined;
		}
	} catch (error) {
		if (error instanceof HiveError) return failure(n, error.refusal.code, error.message, error.refusal.hint);
		return failure(n, 'internal', errorMessage(error));
	}
};

const appendOptions = ({id, after}: {id: string; after: number | undefined}): AppendOptions =>
	after === undefined ? {id} : {id, after};

const failure = (n: number, code: string, message: string, hint?: string): Answer => ({
	n,
	ok: false,
	error: hint === undefined ? {code, message} : {code, message, hint},
});

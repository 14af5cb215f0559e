import {createHash} from 'node:crypto';
import {setMaxListeners} from 'node:events';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {createHighlighter} from '../highlight/highlighter.ts';
import type {Host} from '../host/host.ts';
import {openLiveColony} from '../host/live/live-colony.ts';
import {createOwnProcess} from '../host/own-process.ts';
import {createApp} from './app.ts';
import {openKeyFile} from './key-file.ts';
import {createLoginLink} from './link-to.ts';
import {defaultAddress, isLoopback, listen, readAddress, urlOf} from './listen.ts';
import {followModel} from './model.ts';
import type {PageFile} from './parts.ts';
import {readProxies} from './proxy.ts';
import {createRuntime} from './runtime.ts';

export type ConsoleOptions = {
	/** `<host>:<port>`. Defaults to HIVE_CONSOLE_BIND, else to this machine's loopback. */
	readonly addr: string | undefined;
	/**
	 * Further origins under which people open the console. Defaults to HIVE_CONSOLE_ORIGIN, separated by
	 * commas.
	 */
	readonly origins: readonly string[];
	/** True if the console keeps a reactor beside itself. If false, no client can make it start one. */
	readonly reactor: boolean;
	/** Receives messages as sentences. */
	readonly report: (message: string) => void;
	readonly page: Readonly<Record<string, PageFile>>;
	readonly version: string;
};

export type OpenConsole = {
	/** The URL under which people open the console. */
	readonly url: string;
	/** A link that can be opened once. The browser that opens it may act. */
	readonly link: string;
	readonly close: () => Promise<void>;
};

/** The highlighter is beside the bundle of the console. */
const highlighterScript = new URL('highlight-code.cjs', import.meta.url);

/** Serves the console of the colony around `host.cwd` until it is closed. */
export const openConsole = async (host: Host, options: ConsoleOptions): Promise<Outcome<OpenConsole>> => {
	const address = readAddress(options.addr || host.env.HIVE_CONSOLE_BIND || defaultAddress);
	if (!address.ok) return address;
	const origins = parseOrigins(options.origins, host.env.HIVE_CONSOLE_ORIGIN);
	if (!origins.ok) return origins;
	const isProxy = readProxies(host.env.HIVE_CONSOLE_PROXY);
	if (!isProxy.ok) return isProxy;
	const keyFile = await openKeyFile(host);
	if (!keyFile.ok) return keyFile;
	const keys = await keyFile.value.keys();
	if (!keys.ok) return keys;
	const context = await host.open();
	const endController = new AbortController();
	// Every feed listens to this signal, and there are more feeds than Node's default limit for listeners.
	setMaxListeners(0, endController.signal);
	const reactorProcess = createOwnProcess({
		name: 'reactor',
		spawn: () => host.spawnSelf(['run', '--until-stdin-ends', '--path', context.colony.root]),
		clock: context.clock,
		report: reason => options.report(context.redact?.(reason) ?? reason),
	});
	let isOpening = options.reactor;
	const position = await context.bus.last();
	const colony = await openLiveColony(host, {
		ownReactor: {pid: reactorProcess.pid, isStarting: () => isOpening || reactorProcess.isStarting()},
		logTaken: () => options.report('The colony now uses another log; start the console again.'),
	});
	const reactor = options.reactor ? 'starting' : 'none';
	const model = followModel(colony, {position, reactor}, endController.signal);
	let streams = new AbortController();
	keyFile.value.watch(endController.signal, () => {
		streams.abort();
		streams = new AbortController();
	});
	const {devices} = keyFile.value;
	await devices.follow(endController.signal);
	const services = {
		host,
		context,
		colony,
		model,
		devices,
		highlight: createHighlighter(highlighterScript, endController.signal),
	};
	const runtime = createRuntime({
		reactorProcess,
		world: services,
		mayStart: options.reactor,
		report: options.report,
	});
	const app = createApp({
		...{world: services, runtime},
		keyFile: keyFile.value,
		names: {isLoopback: isLoopback(address.value.host), origins: origins.value},
		// Browsers send the cookies of a host to all its ports. So the consoles of two colonies need two cookie
		// names.
		cookieName: `hive-${createHash('sha256').update(context.checkout).digest('hex').slice(0, 8)}`,
		page: options.page,
		version: options.version,
		streamsEnd: () => streams.signal,
		isProxy: isProxy.value,
	});
	const listening = await listen(app.fetch, address.value);
	if (!listening.ok) {
		endController.abort();
		return listening;
	}
	const url = origins.value[0] ?? urlOf({...address.value, port: listening.value.port});
	await keyFile.value.keepAddress(url);
	if (options.reactor) await runtime.keepRunning();
	isOpening = false;
	return accepted({
		url,
		link: await createLoginLink(keyFile.value, url, {scope: 'act', label: 'browser'}),
		close: async () => {
			endController.abort();
			streams.abort();
			await listening.value.close();
			await reactorProcess.stop();
		},
	});
};

const parseOrigins = (given: readonly string[], variable = ''): Outcome<readonly string[]> => {
	const origins = given.length > 0 ? given : variable.split(',').flatMap(one => one.trim() || []);
	const invalid = origins.find(origin => !/^https?:\/\/[\w.-]+(:\d{1,5})?$/i.test(origin));
	return invalid === undefined
		? accepted(origins)
		: refuse('usage', {message: `"${invalid}" is no origin; write one such as https://hive.example.org.`});
};

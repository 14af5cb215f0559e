import {accepted, type Outcome} from '../../domain/errors.ts';
import {command, type OutputLine} from '../command.ts';
import {endWithParent} from '../end-with-parent.ts';
import {boolean, repeatable, text} from '../flags.ts';

export const console = command({
	path: 'console',
	summary: 'Serve the console: a page to watch and decide from, and the HTTP API below it.',
	description:
		'It listens on 127.0.0.1:8787, unless --addr or HIVE_CONSOLE_BIND names another address. Every request needs a token. It prints a link that logs a browser in; the link works once, within ten minutes. "hive console link" prints more links, "hive console devices" lists the browsers, and "hive console revoke" logs one out. Behind a proxy, set HIVE_CONSOLE_PROXY to the addresses and networks whose X-Forwarded-For is trusted, separated by commas. Starts a reactor for this checkout unless one is alive.',
	flags: {
		addr: text({summary: 'Address to listen on; port 0 takes a free port.', hint: '<host:port>'}),
		origin: repeatable({
			summary:
				'Address that people use for the console, if it differs, as behind a proxy; also HIVE_CONSOLE_ORIGIN.',
			hint: '<url>',
		}),
		reactor: boolean({
			summary: 'Serve without a reactor, and start none on request either.',
			initially: true,
		}),
		untilStdinEnds: boolean({
			summary: 'Exit when standard input ends; a dashboard ends its console this way.',
		}),
	},
	examples: ['console', 'console --addr 0.0.0.0:8787 --origin https://hive.example.org'],
	json: 'one line when it listens: {v, url, link}',
	run: async ({addr, origin, reactor, untilStdinEnds}, commandContext) => {
		const over = new AbortController();
		if (untilStdinEnds) endWithParent(commandContext, () => over.abort());
		const {open} = await commandContext.loadConsole();
		const report = (message: string) => void process.stderr.write(`hive: ${message}\n`);
		const opened = await open(commandContext, {addr, origins: origin, reactor, report});
		if (!opened.ok) return opened;
		return accepted({lines: served(opened.value, AbortSignal.any([commandContext.signal, over.signal]))});
	},
});

type Opened = {readonly url: string; readonly link: string; readonly close: () => Promise<void>};

async function* served({url, link, close}: Opened, signal: AbortSignal): AsyncGenerator<OutputLine> {
	try {
		yield {
			json: {url, link},
			text: `The console listens at ${url}\nOpen once, within ten minutes: ${link}`,
		};
		if (!signal.aborted)
			await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), {once: true}));
	} finally {
		await close();
	}
}

const readOnly = boolean({summary: 'Allow looking, but no changes.'});

export const consoleLink = command({
	path: 'console link',
	summary: 'Print a link that logs one more browser in to the console.',
	description:
		'The link works once, within ten minutes. It has the address of the console that was started last. The log records the name with every action of that browser.',
	flags: {
		readOnly,
		label: text({summary: 'Name of the browser in the log; default: browser.', hint: '<name>'}),
	},
	examples: ['console link --label phone', 'console link --read-only --label wall'],
	json: '{v, link}',
	run: async ({readOnly: reads, label = 'browser'}, commandContext) => {
		const face = await commandContext.loadConsole();
		return printed(await face.link(commandContext, {scope: scopeOf(reads), label}), ({link}) => link);
	},
});

export const consoleToken = command({
	path: 'console token',
	summary: 'Print the token that programs send to the console.',
	description:
		'Send it as "Authorization: Bearer <token>". The token comes from HIVE_CONSOLE_TOKEN, or else from a file on this machine that only you can read. --new makes another token. Earlier tokens, links and browsers then lose access at once.',
	flags: {readOnly, new: boolean({summary: 'First make another token, which replaces the old one.'})},
	json: '{v, token}',
	run: async ({readOnly: reads, new: isNew}, commandContext) => {
		const face = await commandContext.loadConsole();
		return printed(await face.token(commandContext, {scope: scopeOf(reads), isNew}), ({token}) => token);
	},
});

const scopeOf = (reads: boolean) => (reads ? 'read' : 'act');

const printed = <Value extends object>(outcome: Outcome<Value>, text: (value: Value) => string) =>
	outcome.ok ? accepted({json: outcome.value, text: text(outcome.value)}) : outcome;

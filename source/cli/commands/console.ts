import {accepted, type Outcome} from '../../domain/errors.ts';
import {command, type OutputLine} from '../command.ts';
import {endWithParent} from '../end-with-parent.ts';
import {boolean, repeatable, text} from '../flags.ts';

export const console = command({
	path: 'console',
	summary: 'Serve the console: a page to watch and decide from, and the HTTP API below it.',
	description:
		'It listens on 127.0.0.1:8787 alone, unless --addr or HIVE_CONSOLE_BIND says otherwise. Every request needs a token. The link that it prints can be opened once, within ten minutes, and makes the browser known; "hive console link" makes more of them, "hive console devices" lists the browsers, and "hive console revoke" ends one. Behind a proxy HIVE_CONSOLE_PROXY has the addresses and networks of those whose X-Forwarded-For counts, with commas between. Starts a reactor for this checkout unless one is alive.',
	flags: {
		addr: text({summary: 'Where to listen; port 0 takes one that is free.', hint: '<host:port>'}),
		origin: repeatable({
			summary: 'How people reach it by another name, as behind a proxy; also HIVE_CONSOLE_ORIGIN.',
			hint: '<url>',
		}),
		reactor: boolean({summary: 'Serve alone, and start no reactor, whoever asks.', initially: true}),
		untilStdinEnds: boolean({summary: 'Exit when standard input ends; how a dashboard keeps a console.'}),
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

const readOnly = boolean({summary: 'Who has it may look, and change nothing.'});

export const consoleLink = command({
	path: 'console link',
	summary: 'Print a link that makes one more browser known to the console.',
	description:
		'It can be opened once, within ten minutes, and begins with the address of the console that was started last. The name is said in the log with everything that is done from there.',
	flags: {
		readOnly,
		label: text({summary: 'What to call it in the log; "browser" without it.', hint: '<name>'}),
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
		'Send it as "Authorization: Bearer <token>". It is that of HIVE_CONSOLE_TOKEN, else one that is kept in a file of this machine that only you can read. With --new another is made, and every token, link and browser of the one before is shut out at once.',
	flags: {readOnly, new: boolean({summary: 'Make another first.'})},
	json: '{v, token}',
	run: async ({readOnly: reads, new: isNew}, commandContext) => {
		const face = await commandContext.loadConsole();
		return printed(await face.token(commandContext, {scope: scopeOf(reads), isNew}), ({token}) => token);
	},
});

const scopeOf = (reads: boolean) => (reads ? 'read' : 'act');

const printed = <Value extends object>(outcome: Outcome<Value>, text: (value: Value) => string) =>
	outcome.ok ? accepted({json: outcome.value, text: text(outcome.value)}) : outcome;

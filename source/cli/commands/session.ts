import {accepted, refuse} from '../../domain/errors.ts';
import {sendText, stopSession} from '../../host/actions/sessions.ts';
import {type FoundSession, searchSessions} from '../../host/sessions/search-sessions.ts';
import {findSession, readSessions} from '../../host/sessions/sessions.ts';
import {formatDuration} from '../../host/views/format-duration.ts';
import {type SessionView, tellingRow} from '../../host/views/session.ts';
import {ownTerminal} from '../attach/own-terminal.ts';
import {showSession} from '../attach/show-session.ts';
import {command} from '../command.ts';
import {boolean, text} from '../flags.ts';
import {renderTable} from '../render-table.ts';

const idArgument = text({
	summary: 'Session to act on; the end of its id is enough.',
	hint: '<id>',
	required: true,
	complete: 'runs',
});

export const sessionList = command({
	path: 'session list',
	summary: 'List the sessions of this checkout.',
	flags: {all: boolean({summary: 'Also list the sessions that are over.', short: 'a'})},
	json: '{v, sessions: [{sessionId, traceId, bee, title, state: starting|working|waiting|idle|ended|completed|failed|cancelled, waitingSince, lastRows, pid, startedAt, attached}…]}',
	run: async ({all}, commandContext) => {
		const context = await commandContext.open();
		const sessions = await readSessions(context, {all});
		const now = context.clock.now();
		const rows = sessions.map(session => [
			session.sessionId,
			session.bee,
			session.title,
			session.traceId,
			stateWords(session, now),
			String(session.pid ?? ''),
			session.startedAt,
			String(session.attached),
			tellingRow(session),
		]);
		return accepted({
			json: {
				sessions: sessions.map(view => ({
					...{...view, pid: view.pid ?? null, waitingSince: view.waitingSince ?? null},
				})),
			},
			text: () =>
				rows.length === 0
					? 'No session is open. Start one with "hive bee chat <role>".'
					: renderTable(heads, rows, commandContext.stdout.columns),
		});
	},
});

const heads = [
	...['SESSION', 'BEE', 'TITLE', 'TRACE', 'STATE', 'PID', 'STARTED'].map(title => ({title})),
	{title: 'ATTACHED', right: true},
	{title: 'ASKS'},
];

const stateWords = ({state, waitingSince}: SessionView, now: number): string =>
	waitingSince === undefined ? state : `waits ${formatDuration(now - Date.parse(waitingSince))}`;

export const sessionSearch = command({
	path: 'session search',
	summary: 'Search what was said in the sessions of this checkout, also in those that are over.',
	description: 'Upper and lower case are the same. The newest session comes first, with its first five rows.',
	flags: {},
	arguments: {text: text({summary: 'Text to search.', hint: '<text>', required: true})},
	examples: ['session search "rate limit"'],
	json: '{v, text, sessions: [{sessionId, traceId, bee, title, state, startedAt, count, matches: [{at, role: user|agent, text}…]}…]}',
	run: async ({text: sought}, commandContext) => {
		if (sought.trim() === '')
			return refuse('usage', {message: 'There is no text to search.', hint: 'Pass a word or two.'});
		const context = await commandContext.open();
		const found = await searchSessions(context, sought, commandContext.signal);
		return accepted({
			json: {
				text: sought,
				sessions: found.map(({session: {sessionId, traceId, bee, title, state, startedAt}, ...rest}) => ({
					...{sessionId, traceId, bee, title, state, startedAt},
					...rest,
				})),
			},
			text:
				found.length === 0
					? `No session has "${sought}". "hive session list --all" lists them.`
					: found.map(formatFound).join('\n\n'),
		});
	},
});

const formatFound = ({session, count, matches}: FoundSession): string => {
	const {sessionId, bee, title, state} = session;
	const more = count - matches.length;
	return [
		[sessionId, bee, title, state].filter(Boolean).join('  '),
		...matches.map(({role, text: row}) => `  ${role === 'user' ? '> ' : ''}${row}`),
		...(more > 0 ? [`  and ${more} more: "hive logs ${sessionId}"`] : []),
	].join('\n');
};

export const sessionAttach = command({
	path: 'session attach',
	summary: 'Look at a session in this terminal, and talk.',
	description:
		'Ctrl+] leaves the session; press it twice to send it to the program. The session has the size of the terminal that typed last; other terminals show it in a corner.',
	flags: {readOnly: boolean({summary: 'Only look: nothing that you type is sent.'})},
	arguments: {id: idArgument},
	json: '{v, traceId, sessionId, bee, state, exitCode}',
	run: async ({id, readOnly}, commandContext) => {
		const found = await findSession(await commandContext.open(), id);
		if (!found.ok) return found;
		const terminal = ownTerminal();
		if (terminal === undefined)
			return refuse('not_a_terminal', {
				message: 'Looking at a session needs a terminal.',
				hint: `"hive logs ${found.value.sessionId}" prints what was said.`,
			});
		return showSession(commandContext, terminal, found.value, {readOnly});
	},
});

export const sessionStop = command({
	path: 'session stop',
	summary: stopSession.summary,
	description: stopSession.description ?? '',
	flags: {},
	arguments: {id: idArgument},
	examples: ['session stop 1f0c9a7be2d34c55'],
	json: stopSession.shape,
	run: async ({id}, commandContext) => {
		const context = await commandContext.open();
		const found = await findSession(context, id);
		if (!found.ok) return found;
		const stopped = await stopSession.run(context, found.value);
		if (!stopped.ok) return stopped;
		return accepted({json: stopped.value.value, text: stopped.value.sentences.join('\n')});
	},
});

export const sessionSend = command({
	path: 'session send',
	summary: sendText.summary,
	description: sendText.description ?? '',
	flags: {
		body: text({summary: 'Text to type.', hint: '<text>', short: 'b', required: true}),
		submit: boolean({summary: 'Press Enter after the text.'}),
	},
	arguments: {id: idArgument},
	examples: ['session send 1f0c9a7be2d34c55 -b "Go on with the second idea." --submit'],
	json: sendText.shape,
	run: async ({id, body, submit}, commandContext) => {
		const context = await commandContext.open();
		const found = await findSession(context, id);
		if (!found.ok) return found;
		const {traceId, sessionId} = found.value;
		const sent = await sendText.run(context, {traceId, sessionId, text: body, submit});
		if (!sent.ok) return sent;
		return accepted({json: sent.value.value, text: sent.value.sentences.join('\n')});
	},
});

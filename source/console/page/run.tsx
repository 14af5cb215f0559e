import {useEffect, useState} from 'preact/hooks';
import {formatOutsideFact, isSevere} from '../../domain/outside.ts';
import {beeName} from '../../host/views/name.ts';
import {isLive, type SessionView, tellingRow} from '../../host/views/session.ts';
import type {Answers} from '../answers.ts';
import {useShared} from './actions.tsx';
import {type Address, pathTo, post} from './api.ts';
import {useTitle} from './attention.ts';
import {Waiting} from './entry.tsx';
import {useKey} from './keyboard.ts';
import {keyOf} from './keys.ts';
import {refresh, type Shown, useView} from './live.ts';
import {Markdown} from './markdown.tsx';
import {Progress} from './progress.tsx';
import {linkTo} from './route.ts';
import {RunLog} from './run-log.tsx';
import {Ago, Empty, Gone, Key, Reading, State, safe, stateOfRun} from './safe.tsx';
import {showMessage} from './status-message.tsx';

/** Poll interval in milliseconds, for an open session. */
const pollIntervalMs = 1500;

/** One run with its log. */
export const Run = ({traceId, agentId}: {traceId: string; agentId: string}) => {
	const names = {traceId, agentId};
	const [stream, show] = useState<'stdout' | 'stderr'>('stdout');
	const {value: run, problem} = useView(pathTo('/api/runs/:traceId/:agentId', names));
	useTitle(run === undefined ? '' : `Run: ${run.title}`);
	const isLive = run?.status === 'running';
	if (problem !== undefined) return <Gone problem={problem} />;
	if (run === undefined) return <Reading />;
	return (
		<>
			<header class="head">
				<p>
					<a href={linkTo('traces', traceId)}>{safe(run.traceTitle)}</a>
					{run.taskId === '' ? null : (
						<>
							{' / '}
							<a href={linkTo('traces', traceId, run.taskId)}>the task</a>
						</>
					)}
				</p>
				<h2>{safe(run.title)}</h2>
				<p>
					<State of={stateOfRun(run)} /> {beeName(run.bee)} · <Ago at={run.startedAt} /> ago{' '}
					<code>{agentId}</code>
				</p>
				{run.summary === '' ? null : <Markdown text={run.summary} />}
				<Waiting traceId={traceId} agentId={agentId} />
				{run.warnings.map(words => (
					<p key={words} class="warn">
						! {safe(words)}
					</p>
				))}
				{run.outside
					.filter(fact => !isSevere(fact))
					.map(fact => (
						<p key={fact.what + fact.name} class="t-dim">
							Outside: {safe(formatOutsideFact(fact))}
						</p>
					))}
				<div class="actions">
					{(['stdout', 'stderr'] as const).map(name => (
						<button key={name} type="button" aria-pressed={stream === name} onClick={() => show(name)}>
							{name === 'stdout' ? 'What it said' : 'Errors'}
						</button>
					))}
				</div>
			</header>
			<Progress traceId={traceId} agentId={agentId} isLive={isLive} />
			<RunLog key={stream} names={names} stream={stream} isLive={isLive} />
		</>
	);
};

/**
 * A route about sessions. It is polled while one is open, since no event reports that its program started or
 * ended.
 */
const useSessions = <Value,>(path: Address<Value>, isOpen: (value: Value) => boolean): Shown<Value> => {
	const [isDue, setDue] = useState(false);
	const shown = useView(path, isDue ? pollIntervalMs : undefined);
	const found = shown.value !== undefined && isOpen(shown.value);
	useEffect(() => setDue(found), [found]);
	return shown;
};

const isOpenSession = ({state}: Pick<SessionView, 'state'>): boolean =>
	state === 'starting' || isLive({state});

export const Sessions = () => {
	const [text, set] = useState('');
	const {value} = useSessions(pathTo('/api/sessions', {}, text.trim() === '' ? {} : {text}), ({items}) =>
		items.some(isOpenSession),
	);
	return (
		<>
			<StartSession />
			<input
				type="search"
				class="filter"
				aria-label="Search what was said"
				placeholder="Search what was said"
				maxLength={200}
				value={text}
				onInput={event => set(event.currentTarget.value)}
			/>
			<SessionRows items={value?.items} isSought={text.trim() !== ''} />
		</>
	);
};

const SessionRows = ({
	items,
	isSought,
}: {
	items: Answers['/api/sessions']['items'] | undefined;
	isSought: boolean;
}) => {
	if (items === undefined) return null;
	return (
		<>
			{items.length === 0 ? (
				<Empty>{isSought ? 'No session has these words.' : 'There is no session.'}</Empty>
			) : null}
			<ul class="rows">
				{items.toReversed().map(session => (
					<li key={session.sessionId}>
						<a data-row class="row" href={linkTo('sessions', session.sessionId)}>
							<State of={session.state} />
							<span class="grow">
								<b>{safe(session.title) || session.bee}</b> {session.title === '' ? null : session.bee}{' '}
								<code>{session.sessionId}</code>
								<small>{safe(session.matches?.[0]?.text ?? tellingRow(session))}</small>
							</span>
							<span class="facts">
								<Ago at={session.waitingSince ?? session.startedAt} />
							</span>
						</a>
					</li>
				))}
			</ul>
		</>
	);
};

const StartSession = () => {
	const {colony} = useShared();
	const [bee, choose] = useState('');
	const chattableBees = colony.bees.filter(({talks}) => talks);
	if (colony.caller.scope !== 'act' || chattableBees.length === 0) return null;
	const start = async (event: SubmitEvent): Promise<void> => {
		event.preventDefault();
		const answer = await post('/api/sessions', {bee: bee || chattableBees[0]?.name});
		showMessage(answer.ok ? answer.value.message : answer.problem.detail);
		refresh();
	};
	return (
		<form class="line" onSubmit={event => void start(event)}>
			<label>
				Talk with{' '}
				<select onChange={event => choose(event.currentTarget.value)}>
					{chattableBees.map(({name}) => (
						<option key={name}>{name}</option>
					))}
				</select>
			</label>
			<button type="submit">Start</button>
		</form>
	);
};

/** The screen of a session's program, and a field to send it a line. */
export const SessionPage = ({sessionId}: {sessionId: string}) => {
	const path = `/api/sessions/${encodeURIComponent(sessionId)}`;
	const {value: session, problem} = useSessions(
		pathTo('/api/sessions/:sessionId', {sessionId}),
		isOpenSession,
	);
	const isRunning = session !== undefined && isLive(session);
	const {value: screen} = useView(
		isRunning ? pathTo('/api/sessions/:sessionId/screen', {sessionId}) : undefined,
		1000,
	);
	if (problem !== undefined) return <Gone problem={problem} />;
	if (session === undefined) return null;
	const names = {sessionId, traceId: session.traceId};
	return (
		<>
			<header class="head">
				<h2>{safe(session.title) || session.bee}</h2>
				<p>
					<State of={session.state} /> {session.bee} <Ago at={session.startedAt} />{' '}
					<a href={linkTo('traces', session.traceId)}>{session.traceId}</a>
				</p>
				{isRunning ? <Stop path={path} traceId={session.traceId} /> : null}
			</header>
			{isRunning ? (
				<pre class="log screen" tabIndex={0}>
					{screen?.lines.map(line => `${safe(line)}\n`)}
				</pre>
			) : session.state === 'starting' ? (
				<p>The program has not started yet.</p>
			) : (
				<p>
					It is over. <a href={linkTo('runs', names.traceId, sessionId)}>What was said</a>
				</p>
			)}
			{isRunning ? <SendText path={path} /> : null}
		</>
	);
};

const Stop = ({path, traceId}: {path: string; traceId: string}) => {
	const {colony} = useShared();
	const stop = async (): Promise<void> => {
		if (!confirm('End the session: its program and all that it started?')) return;
		const answer = await post(`${path}/stop`, {traceId});
		showMessage(answer.ok ? answer.value.message : answer.problem.detail);
		refresh();
	};
	useKey(key => {
		if (key !== keyOf('session.stop') || colony.caller.scope !== 'act') return false;
		void stop();
		return true;
	});
	return colony.caller.scope === 'act' ? (
		<button type="button" class="away" onClick={() => void stop()} aria-keyshortcuts={keyOf('session.stop')}>
			Stop <Key of="session.stop" />
		</button>
	) : null;
};

const SendText = ({path}: {path: string}) => {
	const {colony} = useShared();
	const [text, set] = useState('');
	if (colony.caller.scope !== 'act') return null;
	const send = async (event: SubmitEvent): Promise<void> => {
		event.preventDefault();
		const answer = await post(`${path}/send`, {text});
		showMessage(answer.ok ? answer.value.message : answer.problem.detail);
		if (answer.ok) set('');
		refresh();
	};
	return (
		<form class="line" onSubmit={event => void send(event)}>
			<input
				name="text"
				aria-label="Say to the session"
				autocomplete="off"
				value={text}
				onInput={event => set(event.currentTarget.value)}
			/>
			<button type="submit" class="act" disabled={text === ''}>
				Send
			</button>
		</form>
	);
};

import {useEffect, useRef, useState} from 'preact/hooks';
import type {Action, Colony} from '../answers.ts';
import {SharedContext} from './actions.tsx';
import {pathTo} from './api.ts';
import {Ask} from './ask.tsx';
import {badge, useNotifications} from './attention.ts';
import {Devices, LogOut} from './devices.tsx';
import {Dialog} from './dialog.tsx';
import {moveFocus, useKey} from './keyboard.ts';
import {actionKeys, keyRows} from './keys.ts';
import {Bees, Events, Inbox, Invites, Problems, Traces} from './lists.tsx';
import {connectionNow, useView} from './live.ts';
import {goBack, keepPlaces} from './places.ts';
import {ReviewPage, Reviews} from './review.tsx';
import {go, linkTo, useRoute} from './route.ts';
import {Run, SessionPage, Sessions} from './run.tsx';
import {safe} from './safe.tsx';
import {StatusMessage} from './status-message.tsx';
import {Topology} from './topology.tsx';
import {AllRuns, Task, Trace} from './trace.tsx';

type Tab = {readonly id: string; readonly title: string; readonly count?: (colony: Colony) => number};

const tabs: readonly Tab[] = [
	{id: 'inbox', title: 'Inbox', count: ({counts}) => counts.inbox},
	{id: 'traces', title: 'Traces'},
	{id: 'reviews', title: 'Reviews', count: ({counts}) => counts.reviews},
	{id: 'bees', title: 'Bees', count: ({counts}) => counts.bees},
	{id: 'runs', title: 'Runs'},
	{id: 'sessions', title: 'Sessions'},
	{id: 'invites', title: 'Invites', count: ({counts}) => counts.invites},
	{id: 'events', title: 'Events'},
	{id: 'topology', title: 'Topology'},
	{id: 'devices', title: 'Devices'},
];

const screenOf = ([tab = 'inbox', one, two]: readonly string[]) => {
	if (tab === 'traces' && one !== undefined)
		return two === undefined ? <Trace traceId={one} /> : <Task traceId={one} taskId={two} />;
	if (tab === 'reviews' && one !== undefined && two !== undefined)
		return <ReviewPage traceId={one} taskId={two} />;
	if (tab === 'runs' && one !== undefined && two !== undefined) return <Run traceId={one} agentId={two} />;
	if (tab === 'sessions' && one !== undefined) return <SessionPage sessionId={one} />;
	switch (tab) {
		case 'traces':
			return <Traces />;
		case 'reviews':
			return <Reviews />;
		case 'bees':
			return <Bees />;
		case 'runs':
			return <AllRuns />;
		case 'sessions':
			return <Sessions />;
		case 'invites':
			return <Invites />;
		case 'events':
			return <Events />;
		case 'topology':
			return <Topology />;
		case 'devices':
			return <Devices />;
		default:
			return <Inbox />;
	}
};

export const App = ({actions}: {actions: ReadonlyMap<string, Action>}) => {
	const {value: colony, problem} = useView(pathTo('/api/colony'));
	if (colony === undefined)
		return problem === undefined ? null : <p class="problem">{safe(problem.detail)}</p>;
	return (
		<SharedContext.Provider value={{colony, actions}}>
			<Shell colony={colony} />
		</SharedContext.Provider>
	);
};

const Shell = ({colony}: {colony: Colony}) => {
	const parts = useRoute();
	const current = parts[0] ?? 'inbox';
	const nav = useRef<HTMLElement>(null);
	// A phone does not have room for all tabs, so the current one is scrolled into view.
	useEffect(() => {
		nav.current?.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest', inline: 'center'});
	}, [current]);
	useEffect(keepPlaces, []);
	const [wantsHelp, help] = useState(false);
	useNotifications(colony);
	useKey(key => {
		const tab = tabs[Number(key) - 1];
		const at = tabs.findIndex(({id}) => id === current);
		const beside = {'[': -1, ']': 1}[key];
		if (tab !== undefined) go(tab.id);
		else if (beside !== undefined) go(tabs.at((at + beside) % tabs.length)?.id ?? 'inbox');
		else if (key === actionKeys['bee.chat']) go('sessions');
		else if (key === '?') help(true);
		else if (key === 'Escape' || key === 'Backspace')
			goBack(...(current === 'traces' || current === 'sessions' ? parts.slice(0, -1) : [current]));
		else return moveFocus(key);
		return true;
	});
	return (
		<>
			<header class="top">
				<h1>{colony.slug}</h1>
				<span class="facts">
					{colony.branch} · {connectionNow() === 'open' ? 'live' : 'connecting…'}
					{colony.caller.scope === 'read' ? ' · may only look' : ''}
				</span>
				<Ask />
				<button type="button" class="plain" onClick={() => help(true)} aria-label="Help">
					?
				</button>
			</header>
			<nav aria-label="Screens" ref={nav}>
				{tabs.map(({id, title, count}) => {
					const mark = badge(count?.(colony) ?? 0);
					return (
						<a key={id} href={linkTo(id)} aria-current={current === id ? 'page' : undefined}>
							{title} {mark === '' ? null : <span class="badge">{mark}</span>}
						</a>
					);
				})}
			</nav>
			<Problems />
			<main key={parts.join('/')}>{screenOf(parts)}</main>
			<StatusMessage />
			{wantsHelp ? <Help close={() => help(false)} /> : null}
		</>
	);
};

const Help = ({close}: {close: () => void}) => {
	const canAsk = 'Notification' in window && Notification.permission === 'default';
	return (
		<Dialog title="Keys" close={close}>
			<dl class="keys">
				{keyRows.map(([key, what]) => (
					<div key={key}>
						<dt>
							<kbd>{key}</kbd>
						</dt>
						<dd>{what}</dd>
					</div>
				))}
			</dl>
			<div class="actions">
				{canAsk ? (
					<button type="button" onClick={() => void Notification.requestPermission()}>
						Notify me
					</button>
				) : null}
				<a class="button" href={linkTo('devices')} onClick={close}>
					Devices
				</a>
				<LogOut />
			</div>
		</Dialog>
	);
};

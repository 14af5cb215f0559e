import {useEffect, useState} from 'preact/hooks';
import type {Action, Colony} from '../answers.ts';
import {SharedContext, useShared} from './actions.tsx';
import {pathTo} from './api.ts';
import {Ask} from './ask.tsx';
import {useNotifications, useTitle} from './attention.ts';
import {Devices, LogOut} from './devices.tsx';
import {Dialog} from './dialog.tsx';
import {Inbox} from './inbox.tsx';
import {areKeysOff, moveFocus, switchKeys, useKey} from './keyboard.ts';
import {actionKeys, keyRows} from './keys.ts';
import {Bees, Events, Invites, Problems, Traces} from './lists.tsx';
import {connectionNow, useView} from './live.ts';
import {goBack, keepPlaces} from './places.ts';
import {ReviewPage, Reviews} from './review.tsx';
import {go, linkTo, useRoute} from './route.ts';
import {Run, SessionPage, Sessions} from './run.tsx';
import {AllRuns} from './runs.tsx';
import {safe} from './safe.tsx';
import {StatusMessage} from './status-message.tsx';
import {Topology} from './topology.tsx';
import {Task, Trace} from './trace.tsx';

/** On a phone only the first four have a tab; the others are below More. */
type Tab = {readonly id: string; readonly title: string; readonly count?: (colony: Colony) => number};

const tabs: readonly Tab[] = [
	{id: 'inbox', title: 'Needs you', count: ({counts}) => counts.inbox},
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

const onPhone: readonly string[] = ['inbox', 'traces', 'sessions'];

/** The screens that have no tab on a phone. */
const More = () => {
	const {colony} = useShared();
	return (
		<ul class="rows">
			{tabs
				.filter(({id}) => !onPhone.includes(id))
				.map(({id, title, count}) => (
					<li key={id}>
						<a data-row class="row" href={linkTo(id)}>
							<b class="grow">{title}</b>
							<Badge count={count?.(colony) ?? 0} />
						</a>
					</li>
				))}
		</ul>
	);
};

const Badge = ({count}: {count: number}) => (count === 0 ? null : <span class="badge">{count}</span>);

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
		case 'more':
			return <More />;
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
	useEffect(keepPlaces, []);
	const [wantsHelp, help] = useState(false);
	const tab = tabs.find(({id}) => id === current);
	useTitle(parts.length > 1 ? '' : (tab?.title ?? 'More'));
	useNotifications(colony);
	useKey(key => {
		const chosen = tabs[Number(key) - 1];
		const at = tabs.findIndex(({id}) => id === current);
		const beside = {'[': -1, ']': 1}[key];
		if (chosen !== undefined) go(chosen.id);
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
			<nav aria-label="Screens">
				{tabs.map(({id, title, count}) => (
					<a
						key={id}
						class={onPhone.includes(id) ? '' : 'wide-only'}
						href={linkTo(id)}
						aria-current={current === id ? 'page' : undefined}
					>
						{title} <Badge count={count?.(colony) ?? 0} />
					</a>
				))}
				<a
					class="phone-only"
					href={linkTo('more')}
					aria-current={onPhone.includes(current) ? undefined : 'page'}
				>
					More
				</a>
			</nav>
			<Problems />
			<main key={parts.join('/')}>
				{parts.length > 1 ? null : <h2 class="unseen">{tab?.title ?? 'More'}</h2>}
				{screenOf(parts)}
			</main>
			<StatusMessage />
			{wantsHelp ? <Help close={() => help(false)} /> : null}
		</>
	);
};

const Help = ({close}: {close: () => void}) => {
	const [isOff, setOff] = useState(areKeysOff());
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
			<label class="tick">
				<span>Keys of one letter do something</span>
				<input
					type="checkbox"
					checked={!isOff}
					onChange={event => {
						switchKeys(!event.currentTarget.checked);
						setOff(!event.currentTarget.checked);
					}}
				/>
			</label>
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

import {useState} from 'preact/hooks';
import {deviceIdleDays} from '../../domain/device.ts';
import type {Answers} from '../answers.ts';
import {useShared} from './actions.tsx';
import {fillPath, logOut, pathTo, remove} from './api.ts';
import {Dialog} from './dialog.tsx';
import {removeDrafts} from './drafts.ts';
import {Form} from './form.tsx';
import {useView} from './live.ts';
import {Ago, Empty, safe} from './safe.tsx';
import {showMessage} from './status-message.tsx';

type Device = Answers['/api/devices']['items'][number];

/** Poll interval in milliseconds, since logins and logouts have no events. */
const pollIntervalMs = 5000;

/** The browsers that are logged in. */
export const Devices = () => {
	const {colony} = useShared();
	const {value} = useView(pathTo('/api/devices'), pollIntervalMs);
	if (value === undefined) return null;
	const isOwn = ({device}: Device): boolean => device === colony.caller.device;
	// This device comes first.
	const items = [...value.items].sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
	return (
		<>
			{items.length === 0 ? <Empty>No device is logged in.</Empty> : null}
			<ul class="rows">
				{items.map(device => (
					<DeviceRow key={device.device} device={device} isOwn={isOwn(device)} />
				))}
			</ul>
			<p class="empty">
				A device that was unused for {deviceIdleDays} days has to log in again. <code>hive console link</code>{' '}
				makes another one known.
			</p>
		</>
	);
};

const DeviceRow = ({device: one, isOwn}: {device: Device; isOwn: boolean}) => {
	const {colony} = useShared();
	const {device, name, agent, scope, loggedInAt, lastUsedAt} = one;
	return (
		<li class="card device" data-row tabIndex={0}>
			<div class="grow">
				<b>{safe(name)}</b> {isOwn ? <span class="kind">this device</span> : null}
				<small>{safe(agent) || 'unknown browser'}</small>
				<p class="facts">
					<span>{scope === 'read' ? 'may only look' : 'may act'}</span>
					<span>
						logged in <Ago at={loggedInAt} /> ago
					</span>
					{isOwn ? null : <LastUse at={lastUsedAt} />}
					<code>{device}</code>
				</p>
			</div>
			{isOwn ? <LogOut /> : colony.caller.scope === 'act' ? <Revoke device={one} /> : null}
		</li>
	);
};

/** The use is recorded at most once an hour. */
const LastUse = ({at: time}: {at: string}) =>
	Date.now() - Date.parse(time) < 3_600_000 ? (
		<span>used in the last hour</span>
	) : (
		<span>
			last used <Ago at={time} /> ago
		</span>
	);

const Revoke = ({device: {device, name}}: {device: Device}) => {
	const [isOpen, open] = useState(false);
	return (
		<>
			<button type="button" class="away" onClick={() => open(true)} aria-label={`Revoke ${safe(name)}`}>
				Revoke
			</button>
			{isOpen ? (
				<Dialog title={`Revoke ${safe(name)}`} close={() => open(false)}>
					<p>It is logged out at once, and needs another link to log in again.</p>
					<Form
						fields={[]}
						button="Revoke"
						perform={() => remove(fillPath('/api/devices/:device', {device}))}
						done={() => open(false)}
					/>
				</Dialog>
			) : null}
		</>
	);
};

/** Logs this device out, in the browser and at the console. */
export const LogOut = () => {
	const ask = async (): Promise<void> => {
		const answer = await logOut();
		if (answer.ok) {
			removeDrafts();
			location.reload();
		} else showMessage(`${answer.problem.detail} ${answer.problem.hint}`);
	};
	return (
		<button type="button" class="away" onClick={() => void ask()}>
			Log out
		</button>
	);
};

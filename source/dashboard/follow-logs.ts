import type {CallRef} from '../domain/call-ref.ts';
import type {UnfoldedCall} from '../host/live/live.ts';
import {isEmptyLog, type LogStream} from './store/log.ts';
import {callReceived, logReceived, openLog, toggleStream} from './store/log-changes.ts';
import {onChange} from './store/on-change.ts';
import {selectedRun} from './store/selectors.ts';
import type {Change, Store} from './store/store.ts';
import type {DashboardServices} from './world.ts';

type Followed = {
	readonly key: string;
	readonly stream: LogStream;
	readonly stop: AbortController;
	/** True once all of it is read that is there, unless the person chose the stream. */
	isRead: boolean;
};

/**
 * Follows the log of the selected run: its standard output first, then the stream that is chosen. If the run
 * is over and wrote nothing there, standard error is shown.
 */
export const followSelectedLog = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let current: Followed | undefined;
	onChange(store, signal, state => {
		const row = selectedRun(state);
		const key = row ? `${row.trace.traceId}/${row.run.agentId}` : '';
		const isSame = key === (current?.key ?? '');
		const stream = isSame ? state.log.stream : 'stdout';
		if (isSame && stream === (current?.stream ?? stream)) {
			if (current?.isRead && row?.run.status !== 'running' && isEmptyLog(state.log)) {
				current.isRead = false;
				store.dispatch(toggleStream);
			}
			return;
		}
		current?.stop.abort();
		const stop = new AbortController();
		const followed: Followed = {key, stream, stop, isRead: false};
		current = followed;
		const traceId = row?.trace.traceId ?? '';
		const agentId = row?.run.agentId ?? '';
		if (!isSame) store.dispatch(openLog(traceId, agentId, stream));
		if (row)
			services.log(
				{traceId, agentId, stream},
				AbortSignal.any([signal, stop.signal]),
				parts => store.enqueue(logReceived(agentId, stream, parts)),
				() => {
					if (!isSame) store.enqueue(whenRead(followed));
				},
			);
	});
};

/** Set when the text before it has been received, since changes are applied in order. */
const whenRead =
	(followed: Followed): Change =>
	state => {
		followed.isRead = true;
		return {...state};
	};

/** Reads the touched files of the selected open run while the traces tab is shown. */
export const inspectSelected = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let inspected: string | undefined;
	let stop = new AbortController();
	onChange(store, signal, state => {
		const row = state.tab === 'traces' && state.past === undefined ? selectedRun(state) : undefined;
		const open = row?.run.status === 'running' ? row : undefined;
		if (open?.run.agentId === inspected) return;
		stop.abort();
		inspected = open?.run.agentId;
		if (open === undefined) return;
		stop = new AbortController();
		const {trace, run} = open;
		services.inspect({traceId: trace.traceId, agentId: run.agentId}, AbortSignal.any([signal, stop.signal]));
	});
};

/** Reads the tool call that is unfolded in the log, and what its tool writes. */
export const followUnfoldedCall = (services: DashboardServices, store: Store, signal: AbortSignal): void => {
	let call: CallRef | undefined;
	let stop = new AbortController();
	onChange(store, signal, ({log: {traceId, agentId, unfolded}}) => {
		if (unfolded?.call === call) return;
		stop.abort();
		call = unfolded?.call;
		if (unfolded === undefined) return;
		const shown = unfolded.call;
		stop = new AbortController();
		services.toolCall(
			{traceId, agentId, call: shown},
			AbortSignal.any([signal, stop.signal]),
			(found: UnfoldedCall) => store.enqueue(callReceived(agentId, shown, found)),
		);
	});
};

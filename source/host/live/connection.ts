import type {ActionContext} from '../../actions/context.ts';
import {refusalOf} from '../../domain/errors.ts';
import type {ColonyStatus} from './live.ts';

/** Whether the log can be reached, as the driver reports it and as reads show it. */
export type Connection = {
	readonly state: () => ColonyStatus['bus'];
	readonly reportFound: () => void;
	readonly reportLost: (error?: unknown) => void;
	/** Calls at each change, until the signal is aborted. */
	readonly watch: (signal: AbortSignal, call: () => void) => void;
};

export const createConnection = ({bus, clock}: ActionContext): Connection => {
	let state: ColonyStatus['bus'] = {state: 'live'};
	const watchers = new Set<() => void>();
	const set = (next: ColonyStatus['bus']): void => {
		state = next;
		for (const call of watchers) call();
	};
	const reportFound = (): void => {
		if (state.state !== 'live') set({state: 'live'});
	};
	const reportLost = (error?: unknown): void => {
		const refusal = refusalOf(error);
		const reason = refusal?.code === 'log_replaced' ? refusal.message : undefined;
		if (state.state === 'unreachable' && (reason === undefined || reason === state.reason)) return;
		const since = state.state === 'unreachable' ? state.since : clock.now();
		set({state: 'unreachable', since, ...(reason && {reason})});
	};
	return {
		state: () => state,
		reportFound,
		reportLost,
		watch: (signal, call) => {
			watchers.add(call);
			signal.addEventListener('abort', () => watchers.delete(call), {once: true});
			bus.watchConnection(signal, isThere => (isThere ? reportFound() : reportLost()));
		},
	};
};

import type {TraceHistory} from '../../host/history.ts';
import type {State} from './state.ts';
import type {Change} from './store.ts';

/** Goes one event back, from now or from the event that is shown. */
export const openPast =
	(traceId: string, history: TraceHistory): Change =>
	state => {
		if (state.past?.trace.traceId === traceId) return stepPast(-1)(state);
		const shown: State = {...state, tab: 'traces', selected: {...state.selected, traces: traceId}};
		return pastAt(history, history.events.length - 2)(shown);
	};

/** Moves by events. After the last one comes the present. */
export const stepPast =
	(events: number): Change =>
	state => {
		if (state.past === undefined) return state;
		const {history, position} = state.past;
		return position + events >= history.events.length - 1
			? closePast(state)
			: pastAt(history, position + events)(state);
	};

const pastAt =
	(history: TraceHistory, wanted: number): Change =>
	state => {
		const position = Math.max(0, wanted);
		return {...state, past: {history, position, trace: history.at(position)}};
	};

export const closePast: Change = state => {
	if (state.past === undefined) return state;
	const {past: _seen, ...rest} = state;
	return rest;
};

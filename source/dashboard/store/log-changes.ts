import type {TimedText} from '../../host/logs/run-log.ts';
import {appendLog, emptyLog, type LogStream} from './log.ts';
import {atTop} from './state.ts';
import type {Change} from './store.ts';

export const openLog =
	(traceId: string, agentId: string, stream: LogStream): Change =>
	state => ({
		...state,
		log: emptyLog(traceId, agentId, stream),
		scroll: {...state.scroll, log: {...atTop, follow: true}},
	});

/** Switches to the other output of the same run. */
export const toggleStream: Change = state => {
	const {traceId, agentId, stream} = state.log;
	return openLog(traceId, agentId, stream === 'stdout' ? 'stderr' : 'stdout')(state);
};

export const logReceived =
	(agentId: string, stream: LogStream, parts: readonly TimedText[]): Change =>
	state =>
		state.log.agentId === agentId && state.log.stream === stream
			? {...state, log: appendLog(state.log, parts)}
			: state;

import type {CallRef} from '../../domain/call-ref.ts';
import type {UnfoldedCall} from '../../host/live/live.ts';
import type {TimedText} from '../../host/logs/run-log.ts';
import {appendLog, cleanLines, emptyLog, isSameCall, type LogStream} from './log.ts';
import {moveInLog} from './scroll-changes.ts';
import {selectedRun} from './selectors.ts';
import {atTop} from './state.ts';
import type {Change} from './store.ts';
import {logCalls} from './texts.ts';

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

/** Shows the whole tool call below its line. The cursor goes to that line. */
export const unfoldCall =
	(call: CallRef): Change =>
	state => {
		const shown = {...state, log: {...state.log, unfolded: {call}}};
		const row = logCalls(shown).findIndex(other => isSameCall(other, call));
		// At the end of a live log it goes on to follow the output.
		const isLive = selectedRun(state)?.run.status === 'running';
		const isLast = logCalls(state).findLast(other => other !== undefined) === logCalls(state).at(-1);
		return state.scroll.log.follow && isLive && isLast ? shown : moveInLog(row)(shown);
	};

export const foldCall: Change = state => {
	const {unfolded, ...log} = state.log;
	if (unfolded === undefined) return state;
	const folded = {...state, log};
	const row = logCalls(folded).findIndex(other => isSameCall(other, unfolded.call));
	return state.scroll.log.follow || row < 0 ? folded : moveInLog(row)(folded);
};

export const callReceived =
	(agentId: string, call: CallRef, {lines}: UnfoldedCall): Change =>
	state =>
		state.log.agentId === agentId && state.log.unfolded && isSameCall(state.log.unfolded.call, call)
			? {...state, log: {...state.log, unfolded: {...state.log.unfolded, lines: cleanLines(lines)}}}
			: state;

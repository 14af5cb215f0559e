import type {DetailFacts, DetailTarget} from '../../host/views/detail/section.ts';
import {detailTabs, shownTab} from './detail.ts';
import {toggleStream} from './log-changes.ts';
import {atTop, type DetailState} from './state.ts';
import type {Change} from './store.ts';

export const openDetail =
	(detail: DetailState): Change =>
	state => ({...state, detail, zoomed: false, scroll: {...state.scroll, detail: atTop}});

/** The panes show a run's standard output, so the log returns to it. */
export const closeDetail: Change = state => {
	if (state.detail === undefined) return state;
	const {detail: _seen, ...rest} = state;
	return rest.log.stream === 'stdout' ? rest : toggleStream(rest);
};

export const detailReceived =
	(target: DetailTarget, facts: DetailFacts): Change =>
	state =>
		state.detail && isSameTarget(state.detail, target) ? {...state, detail: {...state.detail, facts}} : state;

const isSameTarget = (one: DetailTarget, other: DetailTarget): boolean =>
	one.traceId === other.traceId && one.taskId === other.taskId && one.agentId === other.agentId;

/** Goes to the next tab of the detail, and wraps around. */
export const nextPart =
	(step: 1 | -1): Change =>
	state => {
		const parts = detailTabs(state);
		const at = parts.findIndex(({id}) => id === shownTab(state));
		const next = parts[(at + step + parts.length) % parts.length];
		if (state.detail === undefined || next === undefined) return state;
		const shown = {
			...state,
			detail: {...state.detail, chosen: next.id},
			scroll: {...state.scroll, detail: atTop},
		};
		const isOutput = next.id === 'stdout' || next.id === 'stderr';
		return isOutput && next.id !== state.log.stream ? toggleStream(shown) : shown;
	};

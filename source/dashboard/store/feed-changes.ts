import type {ColonyStatus, LiveFacts, Update} from '../../host/live/live.ts';
import type {RunActivities} from '../../host/views/activity.ts';
import type {Clashes} from '../../host/views/clashes.ts';
import type {SessionView} from '../../host/views/session.ts';
import type {Spent} from '../../host/views/today.ts';
import {showToast} from './notice-changes.ts';
import {eventRows} from './selectors.ts';
import {maxEvents, type ProgramFrame, type State, type WaitsState} from './state.ts';
import type {Change} from './store.ts';

export const updateReceived =
	({traces, events}: Update): Change =>
	state => ({
		...state,
		loaded: true,
		traces,
		events: events.length === 0 ? state.events : state.events.concat(events).slice(-maxEvents),
		arrivedWhilePaused: state.frozenEvents ? state.arrivedWhilePaused + events.length : 0,
	});

/** Pauses or resumes the list of events. */
export const togglePause: Change = state => {
	if (!state.frozenEvents) return {...state, frozenEvents: eventRows(state), arrivedWhilePaused: 0};
	const {frozenEvents: _shown, ...rest} = state;
	return {...rest, arrivedWhilePaused: 0};
};

export const statusReceived =
	(status: ColonyStatus): Change =>
	state => ({...state, status});

export const liveFactsReceived =
	(survey: LiveFacts): Change =>
	state => ({...state, survey});

export const clashesReceived =
	(clashes: Clashes): Change =>
	state => ({...state, clashes});

/** Updates the rows of the Colony tab. Shows the first problem of the configuration at once. */
export const colonyReceived =
	(colony: readonly string[], [first, ...more]: readonly string[]): Change =>
	state => {
		const shown = {...state, colony};
		if (first === undefined) return showToast('The configuration is read again.', 'info')(shown);
		return showToast(
			more.length === 0 ? first : `${first} (and ${more.length} more: see Colony)`,
			'bad',
		)(shown);
	};

/** Updates the rows of the Colony tab, which now have the console's link. */
export const consoleReceived =
	(colony: readonly string[], url: string): Change =>
	state =>
		showToast(`The console listens at ${url}. The Colony tab has its link.`, 'info')({...state, colony});

export const commandsReceived =
	(commands: State['commands']): Change =>
	state => ({...state, commands});

export const sessionsReceived =
	(sessions: readonly SessionView[]): Change =>
	state => ({...state, sessions});

/** Updates the sessions in which the text was said. */
export const saidReceived =
	(text: string, sessionIds: readonly string[]): Change =>
	state => ({...state, said: {text, sessionIds: new Set(sessionIds)}});

export const activitiesReceived =
	(activities: RunActivities): Change =>
	state => ({...state, activities});

export const spendingReceived =
	(spent: Spent): Change =>
	state => ({...state, spent});

export const programFrameReceived =
	(program: ProgramFrame): Change =>
	state => ({...state, program});

export const waitsReceived =
	(waits: WaitsState): Change =>
	state => ({...state, waits});

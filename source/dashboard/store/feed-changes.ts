import type {ColonyStatus, Survey, Update} from '../../host/live/live.ts';
import type {SessionView} from '../../host/sessions/sessions.ts';
import type {Clashes} from '../../host/views/clashes.ts';
import type {Doings} from '../../host/views/doing.ts';
import type {Spent} from '../../host/views/today.ts';
import {say} from './notice-changes.ts';
import {eventRows} from './selectors.ts';
import {eventRing, type ProgramScreen, type State, type WaitsState} from './state.ts';
import type {Change} from './store.ts';

export const tookUpdate =
	({traces, events}: Update): Change =>
	state => ({
		...state,
		loaded: true,
		traces,
		events: events.length === 0 ? state.events : state.events.concat(events).slice(-eventRing),
		arrivedWhilePaused: state.frozenEvents ? state.arrivedWhilePaused + events.length : 0,
	});

/** Pauses or resumes the list of events. */
export const togglePause: Change = state => {
	if (!state.frozenEvents) return {...state, frozenEvents: eventRows(state), arrivedWhilePaused: 0};
	const {frozenEvents: _shown, ...rest} = state;
	return {...rest, arrivedWhilePaused: 0};
};

export const tookStatus =
	(status: ColonyStatus): Change =>
	state => ({...state, status});

export const tookSurvey =
	(survey: Survey): Change =>
	state => ({...state, survey});

export const tookClashes =
	(clashes: Clashes): Change =>
	state => ({...state, clashes});

/** Updates the rows of the Colony tab. Shows the first problem of the configuration at once. */
export const tookColony =
	(colony: readonly string[], [first, ...more]: readonly string[]): Change =>
	state => {
		const shown = {...state, colony};
		if (first === undefined) return say('The configuration is read again.', 'info')(shown);
		return say(more.length === 0 ? first : `${first} (and ${more.length} more: see Colony)`, 'bad')(shown);
	};

/** Updates the rows of the Colony tab, which now have the console's link. */
export const tookConsole =
	(colony: readonly string[], url: string): Change =>
	state =>
		say(`The console listens at ${url}. The Colony tab has its link.`, 'info')({...state, colony});

export const tookCommands =
	(commands: State['commands']): Change =>
	state => ({...state, commands});

export const tookSessions =
	(sessions: readonly SessionView[]): Change =>
	state => ({...state, sessions});

export const tookDoings =
	(doings: Doings): Change =>
	state => ({...state, doings});

export const tookSpent =
	(spent: Spent): Change =>
	state => ({...state, spent});

export const tookProgram =
	(program: ProgramScreen): Change =>
	state => ({...state, program});

export const tookWaits =
	(waits: WaitsState): Change =>
	state => ({...state, waits});

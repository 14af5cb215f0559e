import {maxNotices, type State, type Toast} from './state.ts';
import type {Change} from './store.ts';

/** Milliseconds that a toast is shown, unless it is an error. */
const toastMs = 5000;

/** Shows a toast, and keeps it among the events. */
export const showToast =
	(text: string, tone: Toast['tone']): Change =>
	state =>
		withToast(state, tone === 'bad' ? {text, tone} : {text, tone, until: state.now + toastMs});

/** Shows advice, which stays until the next key. */
export const showAdvice =
	(text: string): Change =>
	state =>
		withToast(state, {text, tone: 'info'});

const withToast = (state: State, toast: Toast): State => {
	const number = (state.notices.at(-1)?.number ?? 0) + 1;
	const notice = {number, at: new Date(state.now).toISOString(), text: toast.text, tone: toast.tone};
	return {...state, toast, notices: [...state.notices, notice].slice(-maxNotices)};
};

/** Errors and advice are dismissed by the next key. */
export const dismissReadToast: Change = state => {
	if (!state.toast || state.toast.until !== undefined) return state;
	const {toast: _read, ...rest} = state;
	return rest;
};

/** Sets the time, in milliseconds since 1970. */
export const setTime =
	(now: number): Change =>
	state => ({...dropExpiredToast(state, now), now});

const dropExpiredToast = (state: State, now: number): State => {
	if (state.toast?.until === undefined || state.toast.until > now) return state;
	const {toast: _gone, ...rest} = state;
	return rest;
};

/** Shows that an action is under way. */
export const actionStarted =
	(label: string): Change =>
	state => ({...state, runningActions: [...state.runningActions, label]});

export const actionEnded =
	(label: string): Change =>
	state => ({
		...state,
		runningActions: state.runningActions.toSpliced(state.runningActions.indexOf(label), 1),
	});

import {noticeRing, type State, type Toast} from './state.ts';
import type {Change} from './store.ts';

/** Milliseconds that a toast is shown, unless it is an error. */
const toastTime = 5000;

/** Shows a toast, and keeps it among the events. */
export const say =
	(text: string, tone: Toast['tone']): Change =>
	state => {
		const number = (state.notices.at(-1)?.number ?? 0) + 1;
		const notice = {number, at: new Date(state.now).toISOString(), text, tone};
		return {
			...state,
			toast: tone === 'bad' ? {text, tone} : {text, tone, until: state.now + toastTime},
			notices: [...state.notices, notice].slice(-noticeRing),
		};
	};

/** An error toast is dismissed by the next key. */
export const readToast: Change = state => {
	if (!state.toast || state.toast.until !== undefined) return state;
	const {toast: _read, ...rest} = state;
	return rest;
};

/** Sets the time, in UTC milliseconds. */
export const ticked =
	(now: number): Change =>
	state => ({...withoutOldToast(state, now), now});

const withoutOldToast = (state: State, now: number): State => {
	if (state.toast?.until === undefined || state.toast.until > now) return state;
	const {toast: _gone, ...rest} = state;
	return rest;
};

/** Shows that an action is under way. */
export const began =
	(what: string): Change =>
	state => ({...state, underWay: [...state.underWay, what]});

export const ended =
	(what: string): Change =>
	state => ({...state, underWay: state.underWay.toSpliced(state.underWay.indexOf(what), 1)});

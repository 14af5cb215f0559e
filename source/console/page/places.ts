import {linkTo} from './route.ts';

/** How far a screen was scrolled, and which of its rows had the focus. */
type Place = {readonly top: number; readonly href: string; readonly row: number};

/** Places by fragment. */
const places = new Map<string, Place>();

/** Milliseconds within which a screen must have its rows again. */
const patienceMs = 4000;

let isGoingBack = false;

/** Goes to a screen as the browser's back does: to the place in it where the person was. */
export const goBack = (...parts: readonly string[]): void => {
	if (linkTo(...parts) === location.hash) return;
	isGoingBack = true;
	location.hash = linkTo(...parts);
};

const rowsNow = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main [data-row]')];

const placeNow = (): Place => {
	const rows = rowsNow();
	const row = rows.findIndex(one => one.closest('li, tr')?.contains(document.activeElement));
	return {top: scrollY, href: rows[row]?.getAttribute('href') ?? '', row};
};

let stopSeeking = (): void => {};

/** Waits until the screen has its rows, then scrolls to the place and focuses its row. */
const seek = ({top, href, row}: Place): void => {
	const look = (): void => {
		const rows = rowsNow();
		const found = href === '' ? rows[row] : rows.find(one => one.getAttribute('href') === href);
		if (found === undefined && document.documentElement.scrollHeight < top + innerHeight) return;
		found?.focus({preventScroll: true});
		scrollTo(0, top);
		if (found !== undefined || row < 0) stopSeeking();
	};
	const observer = new MutationObserver(look);
	const timer = setTimeout(() => stopSeeking(), patienceMs);
	const events = ['keydown', 'pointerdown', 'wheel'] as const;
	stopSeeking = () => {
		observer.disconnect();
		clearTimeout(timer);
		for (const name of events) removeEventListener(name, stopSeeking);
		stopSeeking = () => {};
	};
	for (const name of events) addEventListener(name, stopSeeking);
	observer.observe(document.body, {childList: true, subtree: true});
};

/** Remembers the place in every screen, and returns to it when the person goes back. Returns a stop. */
export const keepPlaces = (): (() => void) => {
	history.scrollRestoration = 'manual';
	if (history.state === null) history.replaceState({isVisited: true}, '');
	// A browser takes the focus from a link before it reports the new fragment.
	let clicked: {readonly hash: string; readonly place: Place} | undefined;
	const note = (): void => {
		clicked = {hash: location.hash, place: placeNow()};
	};
	const leave = ({oldURL}: HashChangeEvent): void => {
		stopSeeking();
		const {hash} = new URL(oldURL);
		places.set(hash, clicked?.hash === hash ? clicked.place : placeNow());
		clicked = undefined;
		const place = history.state !== null || isGoingBack ? places.get(location.hash) : undefined;
		isGoingBack = false;
		history.replaceState({isVisited: true}, '');
		if (place === undefined) scrollTo(0, 0);
		else seek(place);
	};
	// Before the listener that draws the next screen.
	addEventListener('hashchange', leave, {capture: true});
	addEventListener('click', note, {capture: true});
	return () => {
		removeEventListener('hashchange', leave, {capture: true});
		removeEventListener('click', note, {capture: true});
	};
};

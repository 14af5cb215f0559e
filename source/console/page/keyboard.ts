import {useEffect, useRef} from 'preact/hooks';

/** Handles a key. True if it was used. */
type KeyHandler = (key: string) => boolean;

const keyHandlers: {current: KeyHandler}[] = [];

/** Handles keys outside of text fields. The newest handler that uses a key gets it. */
export const useKey = (handler: KeyHandler): void => {
	const handlerRef = useRef(handler);
	handlerRef.current = handler;
	useEffect(() => {
		keyHandlers.push(handlerRef);
		return () => void keyHandlers.splice(keyHandlers.indexOf(handlerRef), 1);
	}, []);
};

const isTyping = (target: EventTarget | null): boolean =>
	target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null;

const offKey = 'hive-keys-off';

/** True if the person switched keys of one letter off, for example because they speak to the browser. */
export const areKeysOff = (): boolean => localStorage.getItem(offKey) !== null;

export const switchKeys = (isOff: boolean): void => {
	if (isOff) localStorage.setItem(offKey, '1');
	else localStorage.removeItem(offKey);
};

export const listenToKeys = (): void => {
	addEventListener('keydown', event => {
		if (event.key.length === 1 && areKeysOff()) return;
		if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
		if (document.querySelector('dialog[open]') !== null) return;
		if (keyHandlers.toReversed().some(({current}) => current(event.key))) event.preventDefault();
	});
};

/** Moves the focus among the rows of a list with j, k, g and G, as in the dashboard. */
export const moveFocus = (key: string): boolean => {
	const step = {
		j: 1,
		ArrowDown: 1,
		k: -1,
		ArrowUp: -1,
		g: -Infinity,
		Home: -Infinity,
		G: Infinity,
		End: Infinity,
	}[key];
	if (step === undefined) return false;
	const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
	if (rows.length === 0) return false;
	const at = rows.indexOf(document.activeElement as HTMLElement);
	const to = at < 0 && Number.isFinite(step) ? 0 : at + step;
	rows[Math.max(0, Math.min(rows.length - 1, to))]?.focus();
	return true;
};

/** Scrolls to the next such element below the top of the window, or to the previous one. */
export const scrollAmong = (selector: string, step: 1 | -1): boolean => {
	const distanceOf = (element: Element): number =>
		element.getBoundingClientRect().top - Number.parseFloat(getComputedStyle(element).scrollMarginTop);
	const all = [...document.querySelectorAll(selector)];
	// They lie in this order, so few are measured: to measure one out of sight costs its layout.
	let [start, end] = [0, all.length];
	while (start < end) {
		const middle = (start + end) >> 1;
		const element = all[middle];
		const isBefore = element !== undefined && distanceOf(element) < (step === 1 ? 3 : -2);
		[start, end] = isBefore ? [middle + 1, end] : [start, middle];
	}
	all[step === 1 ? start : start - 1]?.scrollIntoView();
	return true;
};

import {useEffect, useRef} from 'preact/hooks';
import type {Colony} from '../answers.ts';
import {safe} from './safe.tsx';

/** The number as `1` to `9`, then `9+`: an icon has no room for more. */
const shortCount = (count: number): string => (count > 9 ? '9+' : String(count));

let prefix = '';
let subject = '';
let colonyName = 'hive';

const showTitle = (): void => {
	document.title = [`${prefix}${safe(subject)}`, colonyName].filter(Boolean).join(' \u00b7 ');
};

/** Names the screen in the page's title. An empty name leaves the one that is there. */
export const useTitle = (name: string): void =>
	useEffect(() => {
		if (name === '') return;
		subject = name;
		showTitle();
	}, [name]);

const icon = (count: number): string => {
	const mark =
		count === 0
			? ''
			: `<circle cx="24" cy="8" r="8" fill="#c01c28"/><text x="24" y="12" font-size="11" text-anchor="middle" fill="#fff">${shortCount(count)}</text>`;
	const shape = '<path fill="#e5a50a" d="M16 2l12 7v14l-12 7L4 23V9z"/>';
	return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shape}${mark}</svg>`)}`;
};

/**
 * Shows the number of waiting causes in the title and the icon. With the person's permission, also in a
 * notification.
 */
export const useNotifications = ({slug, counts: {inbox}}: Colony): void => {
	const previousCount = useRef(inbox);
	useEffect(() => {
		prefix = inbox === 0 ? '' : `(${inbox}) `;
		colonyName = slug;
		showTitle();
		document.querySelector('link[rel=icon]')?.setAttribute('href', icon(inbox));
		const hasNew = inbox > previousCount.current;
		previousCount.current = inbox;
		if (hasNew && document.hidden && 'Notification' in window && Notification.permission === 'granted')
			new Notification(slug, {
				body: inbox === 1 ? 'Something waits for you.' : `${inbox} things wait for you.`,
				tag: 'hive',
			});
	}, [slug, inbox]);
};

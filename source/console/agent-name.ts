import {sanitizeLine} from '../domain/sanitize.ts';

const maxLength = 60;

/** The first match counts, since most browsers also name others. */
const browsers: readonly (readonly [RegExp, string])[] = [
	[/\bEdgA?(?:iOS)?\//, 'Edge'],
	[/\bOPR\//, 'Opera'],
	[/\b(?:Firefox|FxiOS)\//, 'Firefox'],
	[/(?:Chrome|CriOS)\//, 'Chrome'],
	[/\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
	[/\bAndroid\b/, 'Android'],
	[/\biPhone\b/, 'iPhone'],
	[/\biPad\b/, 'iPad'],
	[/\bMac OS X\b/, 'macOS'],
	[/\bWindows\b/, 'Windows'],
	[/\bCrOS\b/, 'ChromeOS'],
	[/\bLinux\b/, 'Linux'],
];

/**
 * A `User-Agent` in short: `Firefox on Linux`, else its own first 60 characters. It is untrusted text, so
 * everything that drives a terminal or hides is removed.
 */
export const browserName = (userAgent: string | undefined): string => {
	const text = (userAgent ?? '').slice(0, 400);
	const [browser, system] = [browsers, systems].map(known => known.find(([sign]) => sign.test(text))?.[1]);
	if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
	const clean = sanitizeLine(text).replace(/\s+/g, ' ').trim();
	return [...clean].slice(0, maxLength).join('');
};

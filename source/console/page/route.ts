import {useEffect, useState} from 'preact/hooks';

/** The parts of the fragment, after the #. */
const partsNow = (): readonly string[] =>
	location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);

export const go = (...parts: readonly string[]): void => {
	location.hash = `/${parts.map(encodeURIComponent).join('/')}`;
};

export const linkTo = (...parts: readonly string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;

export const useRoute = (): readonly string[] => {
	const [parts, set] = useState(partsNow());
	useEffect(() => {
		const look = (): void => set(partsNow());
		addEventListener('hashchange', look);
		return () => removeEventListener('hashchange', look);
	}, []);
	return parts;
};

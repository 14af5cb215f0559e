import {useEffect, useState} from 'preact/hooks';
import {safe} from './safe.tsx';

let tell = (_message: string): void => {};

/** Shows a message at the foot of the page for a while. */
export const say = (message: string): void => tell(message);

/** Milliseconds that a message is shown. */
const shownFor = 8000;

export const Said = () => {
	const [message, set] = useState('');
	useEffect(() => {
		tell = set;
	}, []);
	useEffect(() => {
		if (message === '') return;
		const timer = setTimeout(() => set(''), shownFor);
		return () => clearTimeout(timer);
	}, [message]);
	return (
		<p class="said" role="status" hidden={message === ''}>
			{safe(message)}
		</p>
	);
};

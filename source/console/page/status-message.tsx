import {useEffect, useState} from 'preact/hooks';
import {safe} from './safe.tsx';

let setMessage = (_message: string): void => {};

/** Shows a message at the foot of the page for a while. */
export const showMessage = (message: string): void => setMessage(message);

/** Milliseconds that a message is shown. */
const messageMs = 8000;

export const StatusMessage = () => {
	const [message, set] = useState('');
	useEffect(() => {
		setMessage = set;
	}, []);
	useEffect(() => {
		if (message === '') return;
		const timer = setTimeout(() => set(''), messageMs);
		return () => clearTimeout(timer);
	}, [message]);
	return (
		<p class="said" role="status" hidden={message === ''}>
			{safe(message)}
		</p>
	);
};

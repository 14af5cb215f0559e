import {useState} from 'preact/hooks';
import {logIn, type Problem} from './api.ts';
import {safe} from './safe.tsx';

/** Takes the code of the opened link, and removes it from the address at once. */
export const takeCode = (): string | undefined => {
	const [, code] = /^#code=([\w-]+)$/.exec(location.hash) ?? [];
	if (code !== undefined) history.replaceState(null, '', location.pathname);
	return code;
};

export const Login = ({problem, entered}: {problem: Problem | undefined; entered: () => void}) => {
	const [token, set] = useState('');
	const [refused, refuse] = useState(problem);
	const send = async (event: SubmitEvent): Promise<void> => {
		event.preventDefault();
		const answer = await logIn({token});
		if (answer.ok) entered();
		else refuse(answer.problem);
	};
	return (
		<main class="login">
			<h1>hive</h1>
			<p>
				This browser is not logged in to the console. Open a link that <code>hive console link</code> prints,
				or paste what <code>hive console token</code> prints.
			</p>
			<form onSubmit={event => void send(event)}>
				<label>
					<span>Token</span>
					<input
						type="password"
						name="token"
						autocomplete="off"
						value={token}
						onInput={event => set(event.currentTarget.value.trim())}
					/>
				</label>
				<button type="submit" class="act">
					Enter
				</button>
			</form>
			{refused === undefined ? null : (
				<p class="problem" role="alert">
					{safe(refused.detail)}
				</p>
			)}
		</main>
	);
};

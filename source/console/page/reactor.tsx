import {useShared} from './actions.tsx';
import {post} from './api.ts';
import {refresh} from './live.ts';
import {showMessage} from './status-message.tsx';

/**
 * A button that starts or stops the console's reactor. Nothing for a read-only caller, or if another process
 * has the reactor.
 */
export const Reactor = () => {
	const {colony} = useShared();
	if (colony.caller.scope !== 'act' || !(colony.reactor === 'here' || colony.reactor === 'none')) return null;
	const what = colony.reactor === 'none' ? 'start' : 'stop';
	const ask = async (): Promise<void> => {
		const answer = await post(`/api/runtime/${what}`, {});
		showMessage(answer.ok ? answer.value.message : `${answer.problem.detail} ${answer.problem.hint}`);
		refresh();
	};
	return (
		<button type="button" class={what === 'stop' ? 'away' : ''} onClick={() => void ask()}>
			{what === 'stop' ? 'Stop the reactor' : 'Start one'}
		</button>
	);
};

import {pathTo} from './api.ts';
import {Graph} from './graph.tsx';
import {useView} from './live.ts';
import {showMessage} from './status-message.tsx';

/** Which events start which bees, and which events those publish. The same data as the mermaid text. */
export const Topology = () => {
	const {value} = useView(pathTo('/api/colony/topology'));
	if (value === undefined) return null;
	const {bees, events, edges, mermaid} = value;
	// A bee's event may start the same bee again. So each event is drawn before the bees it starts, and again
	// after the bees that publish it.
	const starts = edges.filter(({kind}) => kind !== 'publish');
	const published = edges.filter(({kind}) => kind === 'publish');
	const nodes = [
		...events
			.filter(({id}) => starts.some(({from}) => from === id))
			.map(({id}) => ({id: `in ${id}`, label: id, state: 'event', after: []})),
		...bees.map(({role, adapter}) => ({
			id: role,
			label: role,
			state: `bee, ${adapter}`,
			after: starts.filter(({to}) => to === role).map(({from}) => `in ${from}`),
		})),
		...events.map(({id}) => ({
			id: `out ${id}`,
			label: id,
			state: 'event',
			after: published.filter(({to}) => to === id).map(({from}) => from),
		})),
	].filter(({id, after}) => !id.startsWith('out ') || after.length > 0);
	const copy = async (): Promise<void> => {
		await navigator.clipboard.writeText(mermaid);
		showMessage('The mermaid text is in the clipboard.');
	};
	return (
		<>
			<Graph nodes={nodes} title="Which events start which bees, and what they publish" />
			<div class="actions">
				<button type="button" onClick={() => void copy()}>
					Copy mermaid
				</button>
			</div>
			<details class="part">
				<summary>As text</summary>
				<pre class="log">{mermaid}</pre>
			</details>
		</>
	);
};

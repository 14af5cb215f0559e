import {progressFacts} from '../../host/views/progress-facts.ts';
import {pathTo} from './api.ts';
import {useView} from './live.ts';
import {safe} from './safe.tsx';

/** Poll interval in milliseconds for a live run: no event reports its plan or its files. */
const pollIntervalMs = 4000;

/** What a run plans, as its agent reports it, and the files that it has changed. Nothing while unknown. */
export const Progress = ({traceId, agentId, isLive}: {traceId: string; agentId: string; isLive: boolean}) => {
	const path = pathTo('/api/runs/:traceId/:agentId/progress', {traceId, agentId});
	const {value} = useView(path, isLive ? pollIntervalMs : undefined);
	const groups = progressFacts(value);
	return groups.length === 0 ? null : (
		<div class="progress">
			{groups.map(({name, lines}) => (
				<section key={name} class="card">
					<h3>{name}</h3>
					<ul>
						{lines.map(({text, tone}) => (
							<li key={text} class={`t-${tone}`}>
								{safe(text)}
							</li>
						))}
					</ul>
				</section>
			))}
		</div>
	);
};

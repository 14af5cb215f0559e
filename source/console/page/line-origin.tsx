import {pathTo} from './api.ts';
import {useOnce} from './live.ts';
import {Reading, safe} from './safe.tsx';

/** A line as its origin is asked for: a line that the base has by its place there. */
export type AskedLine = {readonly path: string; readonly side: 'old' | 'new'; readonly line: number};

/** The change under review whose lines can be asked for. */
export type AskedChange = {
	readonly traceId: string;
	readonly taskId: string;
	/** Git's ids of its two ends. */
	readonly fork: string;
	readonly work: string;
};

/** Who wrote a line, fact by fact. */
export const Origin = ({asked, change}: {asked: AskedLine; change: AskedChange}) => {
	const {traceId, taskId, fork, work} = change;
	const query = {...asked, line: String(asked.line), fork, work};
	const path = pathTo('/api/traces/:traceId/tasks/:taskId/line', {traceId, taskId}, query);
	const {value, problem} = useOnce(path, path);
	if (problem !== undefined)
		return (
			<p class="problem" role="alert">
				{problem.detail} {problem.hint}
			</p>
		);
	if (value === undefined) return <Reading />;
	return (
		<dl class="origin" aria-label={`Who wrote ${asked.side} line ${asked.line}`}>
			{value.facts.map(({name, text, tone}) => (
				<div key={`${name} ${text}`}>
					<dt>{name}</dt>
					<dd class={`t-${tone === 'attention' ? 'accent' : tone}`}>{safe(text)}</dd>
				</div>
			))}
		</dl>
	);
};

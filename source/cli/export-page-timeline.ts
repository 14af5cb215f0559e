import type {StoredEvent} from '../domain/event.ts';
import type {Trace} from '../domain/trace.ts';
import {beeName} from '../host/views/name.ts';
import {subjectOf} from './event-line.ts';
import {type Html, html} from './html.ts';

/** Every event in order, with its complete JSON. */
export const renderTimeline = (
	events: readonly StoredEvent[],
	{runs}: Pick<Trace, 'runs'>,
): Html => html`<table>
<thead><tr><th>#</th><th>Time (UTC)</th><th>Event</th><th>By</th></tr></thead>
<tbody>
${events.map(event => renderEvent(event, runs))}
</tbody>
</table>`;

const renderEvent = (event: StoredEvent, runs: Trace['runs']): Html => html`<tr id="event-${event.sequence}">
<td class="fixed mono">${event.sequence}</td>
<td class="fixed mono">${event.at.slice(0, 10)} ${event.at.slice(11, 19)}</td>
<td><details><summary><span class="mono">${event.payload.kind}</span> <span class="dim">${subjectOf(event.payload)}</span></summary><pre>${JSON.stringify(event, undefined, 2)}</pre></details></td>
<td>${speakerOf(event, runs)}</td>
</tr>
`;

const speakerOf = ({agentId = ''}: StoredEvent, runs: Trace['runs']): Html => {
	const run = runs.get(agentId);
	return run === undefined ? html`${agentId}` : html`<a href="#run-${agentId}">${beeName(run.bee)}</a>`;
};

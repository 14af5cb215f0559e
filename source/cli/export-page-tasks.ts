import type {Task} from '../domain/task.ts';
import {workerOf} from '../host/views/task.ts';
import {type Html, html, nothing} from './html.ts';

/** Tasks in plan order, each with its description folded away. */
export const renderTasks = (tasks: readonly Task[], defaultBee: string): Html =>
	tasks.length === 0
		? html`<p class="dim">No task was planned.</p>`
		: html`<table>
<thead><tr><th>Task</th><th>Status</th><th>Bee</th><th>Needs</th><th>Review</th></tr></thead>
<tbody>
${tasks.map(task => renderTask(task, defaultBee))}
</tbody>
</table>`;

const renderTask = (task: Task, defaultBee: string): Html => html`<tr>
<td><strong>${task.title}</strong> <span class="mono dim">${task.taskId}</span>
${task.summary === '' ? nothing : html`<p>${task.summary}</p>`}
${task.verdict === undefined ? nothing : html`<p class="dim">Verdict: ${task.verdict.passed ? 'passed' : 'failed'}. ${task.verdict.summary}</p>`}
${task.commit === '' ? nothing : html`<p class="mono dim">commit ${task.commit}</p>`}
${task.body === '' ? nothing : html`<details><summary>Description</summary><pre>${task.body}</pre></details>`}</td>
<td class="fixed"><span class="pill ${task.status}">${task.status}</span></td>
<td>${workerOf(task, defaultBee) || '-'}</td>
<td class="mono">${task.dependsOn.join(', ') || '-'}</td>
<td>${task.review}</td>
</tr>
`;

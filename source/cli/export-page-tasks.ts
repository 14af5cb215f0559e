import {statusWords} from '../domain/status-words.ts';
import type {Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import {taskStatusLabel, workerOf} from '../host/views/task.ts';
import {formatVerification} from '../host/views/verification.ts';
import {type Html, html, nothing} from './html.ts';

/** Tasks in plan order, each with its description collapsed. */
export const renderTasks = (trace: Trace, defaultBee: string): Html =>
	trace.tasks.size === 0
		? html`<p class="dim">No task was planned.</p>`
		: html`<table>
<thead><tr><th>Task</th><th>Status</th><th>Bee</th><th>Needs</th><th>Review</th></tr></thead>
<tbody>
${[...trace.tasks.values()].map(task => renderTask(trace, task, defaultBee))}
</tbody>
</table>`;

const renderTask = (trace: Trace, task: Task, defaultBee: string): Html => html`<tr>
<td><strong>${task.title}</strong> <span class="mono dim">${task.taskId}</span>
${task.summary === '' ? nothing : html`<p>${task.summary}</p>`}
${task.verdict === undefined ? nothing : html`<p class="dim">Verdict: ${task.verdict.passed ? 'passed' : 'failed'}. ${task.verdict.summary}</p>`}
${formatVerification(trace, task) === '' ? nothing : html`<p class="dim">${formatVerification(trace, task)}</p>`}
${(task.evidence?.output ?? '') === '' ? nothing : html`<details><summary>Output of verify</summary><pre>${task.evidence?.output ?? ''}</pre></details>`}
${task.commit === '' ? nothing : html`<p class="mono dim">commit ${task.commit}</p>`}
${task.body === '' ? nothing : html`<details><summary>Description</summary><pre>${task.body}</pre></details>`}</td>
<td class="fixed"><span class="pill ${task.status}">${statusWords(taskStatusLabel(trace, task))}</span></td>
<td>${workerOf(task, defaultBee) || '-'}</td>
<td class="mono">${task.dependsOn.join(', ') || '-'}</td>
<td>${task.review}</td>
</tr>
`;

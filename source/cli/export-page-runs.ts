import type {RunRecord} from '../domain/run.ts';
import type {Excerpt, ExportedRun} from '../host/export/exported-trace.ts';
import {beeName} from '../host/views/name.ts';
import {quietNotes, runStatusLabel, warningMark} from '../host/views/run.ts';
import {type Html, html, nothing} from './html.ts';

export const renderRuns = (runs: readonly ExportedRun[]): Html =>
	runs.length === 0 ? html`<p class="dim">Nothing was run.</p>` : html`${runs.map(run => renderRun(run))}`;

const renderRun = ({
	run,
	prompt,
	stdout,
	stderr,
	usage,
}: ExportedRun): Html => html`<details id="run-${run.agentId}">
<summary><span class="pill ${run.status}">${runStatusLabel(run)}</span> <strong>${beeName(run.bee)}</strong>
<span class="mono dim">${run.agentId}</span> ${run.taskId ?? ''} <span class="dim">${durationOf(run)}</span> ${run.warnings === undefined ? nothing : html`<span class="warned">${warningMark(run.warnings.length)}</span>`}</summary>
<dl>
<dt>Started</dt><dd>${run.startedAt}</dd>
${run.finishedAt === undefined ? nothing : html`<dt>Finished</dt><dd>${run.finishedAt}</dd>`}
${run.exitCode === undefined ? nothing : html`<dt>Exit code</dt><dd>${run.exitCode}</dd>`}
${run.summary === undefined ? nothing : html`<dt>Summary</dt><dd>${run.summary}</dd>`}
${(run.warnings ?? []).map(text => html`<dt>Warning</dt><dd class="warned">${text}</dd>`)}
${quietNotes([run]).map(({text}) => html`<dt>Outside</dt><dd class="dim">${text}</dd>`)}
${run.trigger === undefined ? nothing : html`<dt>Answers</dt><dd><a href="#event-${run.trigger}">event ${run.trigger}</a></dd>`}
${usage === undefined ? nothing : html`<dt>Tokens</dt><dd>${usage.inputTokens ?? 0} in, ${usage.outputTokens ?? 0} out</dd>`}
</dl>
${renderText('Prompt', prompt)}
${renderText('Output', stdout)}
${renderText('Errors', stderr)}
</details>
`;

const renderText = (title: string, {text, left}: Excerpt): Html =>
	text === ''
		? nothing
		: html`<details><summary>${title}${left === 0 ? '' : ` (cut: ${left} bytes are left out)`}</summary><pre>${text}</pre></details>`;

const durationOf = ({startedAt, finishedAt}: RunRecord): string => {
	if (finishedAt === undefined) return 'not finished';
	const seconds = Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
	if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
	return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
};

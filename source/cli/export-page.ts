import {createHash} from 'node:crypto';
import {reserveOf} from '../domain/reserve.ts';
import {titleOrId} from '../domain/trace.ts';
import type {ExportedTrace} from '../host/export/exported-trace.ts';
import {formatHoney, formatSpending} from '../host/views/format-reserve.ts';
import {renderProposals} from './export-page-proposals.ts';
import {renderRuns} from './export-page-runs.ts';
import {pageStyle} from './export-page-style.ts';
import {renderTasks} from './export-page-tasks.ts';
import {renderTimeline} from './export-page-timeline.ts';
import {type Html, html, nothing} from './html.ts';

/**
 * Renders one self-contained page: no script, nothing loaded, every text escaped, and a content policy that
 * forbids everything else. The same log and run files give the same bytes.
 */
export const renderExportPage = (exported: ExportedTrace): string => {
	const {trace, runs, proposals, events} = exported;
	const name = titleOrId(trace);
	const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${name} - ${exported.slug}</title>
<style>${styleMarkup}</style>
</head>
<body>
<header>
<h1>${name}</h1>
<p class="dim"><span class="mono">${trace.traceId}</span> of ${exported.slug}</p>
<nav><a href="#tasks">Tasks</a><a href="#runs">Runs</a><a href="#proposals">Proposals</a><a href="#timeline">Timeline</a></nav>
</header>
<main>
${renderOverview(exported)}
<h2 id="tasks">Tasks</h2>
${renderTasks(trace, exported.defaultBee)}
<h2 id="runs">Runs</h2>
${renderRuns(runs)}
<h2 id="proposals">Proposals</h2>
${renderProposals(proposals)}
<h2 id="timeline">Timeline</h2>
${renderTimeline(events, trace)}
</main>
</body>
</html>`;
	return `<!doctype html>\n${page.markup}\n`;
};

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** The only markup that is not made by `html`: our own constant. */
const styleMarkup: Html = {markup: pageStyle};

const renderOverview = ({trace, defaultBudget, runs, events}: ExportedTrace): Html => {
	const tasks = [...trace.tasks.values()];
	const done = tasks.filter(({status}) => status === 'completed').length;
	const reserve = reserveOf(trace, defaultBudget);
	const {energyBudget: budget, energyRemaining: left} = reserve;
	return html`<section>
${trace.summary === '' ? nothing : html`<p>${trace.summary}</p>`}
${trace.killed ? html`<p><span class="pill killed">killed</span> ${trace.killReason}</p>` : nothing}
<dl>
<dt>Tasks</dt><dd>${done} of ${tasks.length} completed</dd>
<dt>Runs</dt><dd>${runs.length}</dd>
<dt>Honey reserve</dt><dd><meter min="0" max="${Math.max(budget, left, 1)}" value="${left}"></meter> ${formatHoney(reserve)}</dd>
${formatSpending(reserve).map(words => html`<dt>Spending</dt><dd>${words}</dd>`)}
<dt>Events</dt><dd>${events.length}</dd>
<dt>Began</dt><dd>${timeOf(trace.createdAt)}</dd>
<dt>Last event</dt><dd>${timeOf(trace.updatedAt)}</dd>
</dl>
${trace.problems.map(({sequence, message}) => html`<p class="failed">Event ${sequence} was refused: ${message}</p>`)}
</section>`;
};

const timeOf = (at: string): string => (at === '' ? '-' : `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`);

import {escapeHidden} from '../domain/escape-hidden.ts';
import type {ExportedProposal} from '../host/export/exported-trace.ts';
import {type Html, html, nothing} from './html.ts';

export const renderProposals = (proposals: readonly ExportedProposal[]): Html =>
	proposals.length === 0
		? html`<p class="dim">No change was proposed.</p>`
		: html`${proposals.map(proposal => renderProposal(proposal))}`;

const renderProposal = ({
	sequence,
	taskId,
	workspace,
	summary,
	patch,
}: ExportedProposal): Html => html`<details>
<summary><strong>${taskId || 'the trace'}</strong> <span class="dim">${workspace}, <a href="#event-${sequence}">event ${sequence}</a></span> ${summary}</summary>
${patch.text === '' ? html`<p class="dim">The event names no diff.</p>` : html`<pre class="diff">${patch.text.split('\n').map(line => renderLine(line))}</pre>`}
${patch.left === 0 ? nothing : html`<p class="dim">Cut: ${patch.left} bytes are left out.</p>`}
</details>
`;

const renderLine = (line: string): Html =>
	html`<span class="${kindOf(line)}">${line === '' ? ' ' : escapeHidden(line)}</span>`;

const kindOf = (line: string): string => {
	if (/^(diff |index |--- |\+\+\+ |(new|deleted) file |similarity |rename |old mode |new mode )/.test(line))
		return 'head';
	if (line.startsWith('@@')) return 'hunk';
	if (line.startsWith('+')) return 'added';
	return line.startsWith('-') ? 'removed' : 'same';
};

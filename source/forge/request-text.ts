import type {ForgeSettings} from '../colony/forge.ts';
import {isIssueOf} from '../domain/issue.ts';
import {mergeMessage} from '../domain/merge-message.ts';
import type {PullRequest} from '../domain/pull-request.ts';
import {sanitizeText} from '../domain/sanitize.ts';
import {isTerminal, type Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';

/** Title and body of a request, as markdown. */
export type RequestText = {readonly title: string; readonly body: string};

const begin = '<!-- hive:begin -->';
const end = '<!-- hive:end -->';

/** Parts a sign from what follows it, and is not seen. */
const gap = '\u200b';

/** Max characters of a title, and of hive's part of a body. Forges take more. */
const maxTitle = 250;
const maxPart = 40_000;
/** Tasks and checks that are named one by one. */
const maxRows = 50;

/**
 * The text of a trace's request: the person's words, then the tasks, the checks with their trees, and the
 * cost.
 *
 * @param place the repository of the request; it closes an issue there
 */
export const requestText = (
	trace: Trace,
	request: Pick<PullRequest, 'message'>,
	place?: Pick<ForgeSettings, 'provider' | 'repository'>,
): RequestText => {
	const {body} = mergeMessage(trace, request.message);
	const [, ...more] = request.message?.trim().split('\n') ?? [];
	// Else they are words of the trace, which may be an agent's.
	const ownBody = more.join('\n').trim() === '' ? body.split('\n').map(quietLine).join('\n') : body;
	const parts = [
		ownBody.trim(),
		issuePart(trace, place),
		tasksPart(trace),
		checksPart(trace),
		costPart(trace),
	];
	const text = parts.filter(part => part !== '').join('\n\n');
	return {
		title: requestTitle(trace, request),
		body: `${begin}\n${withoutMarkers(text).slice(0, maxPart)}\n${end}`,
	};
};

/** The title of a trace's request: the person's, or the trace's made inert. */
const requestTitle = (trace: Trace, {message}: Pick<PullRequest, 'message'>): string => {
	const subject = oneLine(mergeMessage(trace, message).subject);
	const isWritten = message?.trim().split('\n')[0];
	return (isWritten ? subject : inert(subject)).slice(0, maxTitle);
};

/** The subject of its commit: the same, where a space does what an invisible character does in the title. */
export const commitSubject = (trace: Trace, request: Pick<PullRequest, 'message'>): string =>
	requestTitle(trace, request).replaceAll(gap, ' ');

/** Replaces hive's part of a body, and keeps what people wrote around it. */
export const withOwnPart = (body: string, own: string): string => {
	const from = body.indexOf(begin);
	const to = body.indexOf(end, from);
	if (from < 0 || to < 0) return body.trim() === '' ? own : `${body.trimEnd()}\n\n${own}`;
	return `${body.slice(0, from)}${own}${body.slice(to + end.length)}`;
};

/** Both forges close the issue when they merge the request. */
const issuePart = (
	{issue}: Trace,
	place: Pick<ForgeSettings, 'provider' | 'repository'> | undefined,
): string => (place !== undefined && isIssueOf(issue, place) ? `Fixes #${issue.number}` : '');

const tasksPart = (trace: Trace): string => {
	const tasks = [...trace.tasks.values()].filter(({review}) => review !== 'final');
	const rows = tasks.slice(0, maxRows).map(task => `- ${stateOf(task)}${quiet(task.title || task.taskId)}`);
	const more = tasks.length > maxRows ? [`- and ${tasks.length - maxRows} more`] : [];
	return rows.length === 0 ? '' : ['### Tasks', ...rows, ...more].join('\n');
};

const stateOf = ({status}: Task): string => {
	if (status === 'completed') return '';
	return `${isTerminal(status) ? status : 'not done'}: `;
};

const checksPart = ({tasks, landing, pullRequest}: Trace): string => {
	const ofProposals = [...tasks.values()].flatMap(({title, taskId, evidence, proposal}) =>
		evidence === undefined || proposal?.tree === undefined
			? []
			: [
					`- ${quiet(title || taskId)}: ${quiet(evidence.summary)}, on the tree \`${proposal.tree.slice(0, 12)}\``,
				],
	);
	const ofMerge = (landing?.checks ?? []).map(
		({tree, passed}) => `- The merge: ${passed ? 'passed' : 'failed'}, on the tree \`${tree.slice(0, 12)}\``,
	);
	const rows = [...ofProposals.slice(-maxRows), ...ofMerge];
	const tree = pullRequest === undefined ? '' : ` The work is the tree \`${pullRequest.tree.slice(0, 12)}\`.`;
	return rows.length === 0
		? `### Checks\nNo checks ran before it was opened.${tree}`
		: ['### Checks', ...rows].join('\n');
};

const costPart = ({runs, spent}: Trace): string => {
	const count = [...runs.values()].filter(({verifies}) => verifies === undefined).length;
	const tokens = spent?.tokens ?? 0;
	const known = [
		`${count} ${count === 1 ? 'run' : 'runs'}`,
		...(spent !== undefined && spent.cost > 0 ? [`$${spent.cost.toFixed(2)}`] : []),
		...(tokens > 0 ? [`${tokens} tokens`] : []),
	];
	return `### Cost\n${known.join(', ')}. Made with hive.`;
};

/**
 * An agent's words as text that does nothing at the forge: no mention, no reference, no link, no HTML and no
 * keyword that closes an issue.
 */
export const quiet = (text: string): string => quietLine(oneLine(text).slice(0, 300));

/** At GitLab, a line that begins with a slash is a command. */
const quietLine = (text: string): string =>
	inert(oneLine(text).replace(/^\//, `${gap}/`)).replaceAll(/[\\`*_{}[\]()<>|~]/g, '\\$&');

/** Parts the signs of mentions, references, entities and addresses from what follows them. */
const inert = (text: string): string =>
	text
		.replaceAll(/[@#!%$&](?=\w)/g, `$&${gap}`)
		.replaceAll(/\bGH-(?=\d)/gi, `$&${gap}`)
		.replaceAll(/\b(https?(?=:)|www(?=\.))/gi, `$&${gap}`);

const oneLine = (text: string): string => sanitizeText(text).text.replaceAll(/\s+/g, ' ').trim();

const withoutMarkers = (text: string): string => text.replaceAll(/<!--\s*(?:hive:\s*)+/g, '<!-- ');

import {accepted} from '../../domain/errors.ts';
import {readTraces} from '../../host/traces.ts';
import {issueViews} from '../../host/views/issue.ts';
import {requestViews} from '../../host/views/pull-request.ts';
import {command} from '../command.ts';
import {endWithParent} from '../end-with-parent.ts';
import {boolean, text} from '../flags.ts';
import {renderTable} from '../render-table.ts';

export const forgeList = command({
	path: 'forge list',
	summary: 'List the pull requests and issues of the traces, with checks and comments.',
	flags: {},
	json: '{v, requests: [{traceId, taskId, state: requested|left|open|merged|closed, number, url, reason, failed: [name], pending: [name], comments: [{id, author, isTrusted, text, path, line, url, state: new|sent|answered}]}], issues: [{traceId, title, number, url, state: started|review|request|closed|merged|done|stopped, isNoted, reason}], watch: null or {label, cue}}',
	run: async (_, commandContext) => {
		const context = await commandContext.open();
		const traces = await readTraces(context);
		const [requests, issues] = [requestViews(traces), issueViews(traces)];
		const watch = context.colony.forge?.watch ?? null;
		const {columns} = commandContext.stdout;
		return accepted({
			json: {requests, issues, watch},
			text: async () => [
				...(requests.length === 0
					? ['No trace has a pull request.']
					: await renderTable(
							['TRACE', 'REQUEST', 'STATE', 'SAYS', 'ADDRESS'].map(title => ({title})),
							requests.map(({traceId, number, words, says, url}) => [
								...[traceId, number === null ? '' : `#${number}`, words, says, url],
							]),
							columns,
						)),
				...(issues.length === 0
					? []
					: [
							'\n',
							...(await renderTable(
								['TRACE', 'ISSUE', 'STATE', 'TITLE', 'ADDRESS'].map(title => ({title})),
								issues.map(({traceId, number, words, title, url}) => [
									...[traceId, `#${number}`, words, title, url],
								]),
								columns,
							)),
						]),
				...(watch === null
					? []
					: [`\nIssues with the label "${watch.label}" begin the cue ${watch.cue} by themselves.`]),
			],
		});
	},
});

export const forgeWatch = command({
	path: 'forge watch',
	summary: 'Send approved pull requests to the forge, watch them and take issues, until Ctrl+C.',
	description:
		'A reactor runs it by itself while a trace has a request, or while "forge.watch" names a label, so you need it only without one. "forge" in colony.yaml names the forge. The token comes from GITHUB_TOKEN, GH_TOKEN or "gh auth token"; for GitLab from GITLAB_TOKEN; or from "forge" in config.yaml of this machine.',
	flags: {
		once: boolean({summary: 'Send and read what is due now, and exit.'}),
		trace: text({summary: 'Only this trace.', hint: '<id>', complete: 'traces'}),
		untilStdinEnds: boolean({
			summary: 'Exit when standard input ends; a reactor ends its watcher this way.',
		}),
	},
	examples: ['forge watch', 'forge watch --once'],
	run: async ({once, trace, untilStdinEnds}, commandContext) => {
		const over = new AbortController();
		if (untilStdinEnds) endWithParent(commandContext, () => over.abort());
		const signal = AbortSignal.any([commandContext.signal, over.signal]);
		// A reactor reads the lines of its watcher's standard output, and reports them as its own.
		const report = (message: string) =>
			void (untilStdinEnds
				? process.stdout.write(`${message}\n`)
				: process.stderr.write(`hive: ${message}\n`));
		const {watchForge} = await commandContext.loadForge();
		const ended = await watchForge(commandContext, {signal, once, only: trace, report});
		return ended.ok ? accepted({json: {}, text: ''}) : ended;
	},
});

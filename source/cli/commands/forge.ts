import {accepted} from '../../domain/errors.ts';
import {readTraces} from '../../host/traces.ts';
import {requestViews} from '../../host/views/pull-request.ts';
import {command} from '../command.ts';
import {endWithParent} from '../end-with-parent.ts';
import {boolean, text} from '../flags.ts';
import {renderTable} from '../render-table.ts';

export const forgeList = command({
	path: 'forge list',
	summary: 'List the pull requests of the traces, with their checks and what was said about them.',
	flags: {},
	json: '{v, requests: [{traceId, taskId, state: requested|left|open|merged|closed, number, url, reason, failed: [name], pending: [name], comments: [{id, author, isTrusted, text, path, line, url, state: new|sent|answered}]}]}',
	run: async (_, commandContext) => {
		const traces = await readTraces(await commandContext.open());
		const requests = requestViews(traces);
		return accepted({
			json: {requests},
			text: async () =>
				requests.length === 0
					? 'No trace has a pull request.'
					: await renderTable(
							['TRACE', 'REQUEST', 'STATE', 'SAYS', 'ADDRESS'].map(title => ({title})),
							requests.map(({traceId, number, words, says, url}) => [
								...[traceId, number === null ? '' : `#${number}`, words, says, url],
							]),
							commandContext.stdout.columns,
						),
		});
	},
});

export const forgeWatch = command({
	path: 'forge watch',
	summary: 'Send approved pull requests to the forge and watch them, until Ctrl+C.',
	description:
		'A reactor runs it by itself while a trace has a request, so you need it only without one. "forge" in colony.yaml names the forge. The token comes from GITHUB_TOKEN, GH_TOKEN or "gh auth token"; for GitLab from GITLAB_TOKEN; or from "forge" in config.yaml of this machine.',
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

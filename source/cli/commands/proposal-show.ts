import {accepted} from '../../domain/errors.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import {approveCommand} from '../../host/review/approve-command.ts';
import {openSheet} from '../../host/review/read-sheet.ts';
import type {Sheet} from '../../host/views/sheet.ts';
import {sheetBlocks} from '../../host/views/sheet-lines.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {traceFlag} from '../shared-flags.ts';
import {renderBlock, sheetIndent} from '../sheet-text.ts';

export const proposalShow = command({
	path: 'proposal show',
	summary: 'Show everything that a decision needs on one page.',
	description:
		'The request, the round, what each task says and what hive recorded of it, checks, guards, cost, and what approving would merge. Without --task it shows the decision that the trace waits for.',
	flags: {
		trace: traceFlag,
		task: text({summary: 'The sheet of this task.', hint: '<id>', complete: 'tasks'}),
	},
	json: '{v, sheet: {traceId, taskId, title, gate: final|required|commit or empty, request: {title, body, truncated}, issue: null or {number, url}, round, rework: null or {asked, changed, comments: [{path, line, text, state: addressed|untouched}]}, tasks: [{taskId, title, bee, agentId, said, marks: [{kind, text}]}], checks: [{taskId, title, command, state: passed|failed|could_not_run|running|not_run, at, seconds or null, tree, lands: true|false|null, output}], guards: [{taskId, title, bee, verdict: passed|failed|none, said, older, now}], outside: [{bee, agentId, text, warning}], alsoAtWork: [{traceId, title, paths}], cost: {runs, tokens, costUsd, seconds}, lands: null or {branch, strategy, message, signed, tree}, mergeCheck: null or {state: not_required|not_checked|passed|failed, summary, at, agentId}, landing: null or {state: waiting|checking|landing, position or null, since, base, check: null or {agentId, since}}, left: null or {reason, output}, merged: [{taskId, commit, base, by, checkedBy, withoutChecks: null or {reason}}], changes: null or {files: [{path, from?, added, removed}], added, removed, problems, large?, warnings}, missing: {rework?, lands?, changes?}}}',
	run: async ({trace: traceId, task: taskId}, session) => {
		const context = await session.open();
		const read = await openSheet(context, {traceId, taskId});
		if (!read.ok) return read;
		const sheet = read.value;
		const blocks = sheetBlocks(sheet, context.clock.now());
		return accepted({
			json: {sheet},
			text: [
				{text: `${sheet.title || traceId}\n`, style: 'strong'},
				...blocks.flatMap(renderBlock),
				...(sheet.changes?.files ?? []).map(
					({path, added, removed}) =>
						`${''.padEnd(sheetIndent)}+${added} -${removed} ${sanitizeLine(path)}\n`,
				),
				{text: nextStep(sheet), style: 'dim'},
			],
		});
	},
});

const nextStep = ({traceId, taskId, gate, lands, landing, mergeCheck}: Sheet): string => {
	if (landing !== null) return `Take it out of the queue: hive landing cancel --trace ${traceId}`;
	if (gate === '') return `Its diff: hive proposal diff --trace ${traceId}`;
	const diff = `Its diff: hive proposal diff --trace ${traceId}${gate === 'final' ? '' : ` --task ${taskId}`}`;
	const approve =
		gate === 'final'
			? approveCommand({traceId, taskId}, lands?.tree ?? '')
			: `hive proposal approve --trace ${traceId} --task ${taskId}`;
	if (lands?.tree === '') return diff;
	return mergeCheck?.state === 'failed'
		? `${diff}\nCheck it again: hive landing retry --trace ${traceId} --task ${taskId}`
		: `${diff}\nApprove this: ${approve}`;
};

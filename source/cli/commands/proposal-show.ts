import {accepted} from '../../domain/errors.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import {approveCommand} from '../../host/review/approve-command.ts';
import {openSheet} from '../../host/review/read-sheet.ts';
import type {Sheet} from '../../host/views/sheet.ts';
import {type SheetBlock, type SheetLine, type SheetTone, sheetBlocks} from '../../host/views/sheet-lines.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {traceFlag} from '../shared-flags.ts';
import type {Text} from '../text.ts';

export const proposalShow = command({
	path: 'proposal show',
	summary: 'Show everything that a decision needs on one page.',
	description:
		'The request, the round, what each task says and what hive recorded of it, checks, guards, cost, and what approving would merge. Without --task it shows the decision that the trace waits for.',
	flags: {
		trace: traceFlag,
		task: text({summary: 'The sheet of this task.', hint: '<id>', complete: 'tasks'}),
	},
	json: '{v, sheet: {traceId, taskId, title, gate: final|required|commit or empty, request: {title, body, truncated}, round, rework: null or {asked, changed, comments: [{path, line, text, state: addressed|untouched}]}, tasks: [{taskId, title, bee, agentId, said, marks: [{kind, text}]}], checks: [{taskId, title, command, state: passed|failed|could_not_run|running|not_run, at, seconds or null, tree, lands: true|false|null, output}], guards: [{taskId, title, bee, verdict: passed|failed|none, said, older, now}], outside: [{bee, agentId, text, warning}], alsoAtWork: [{traceId, title, paths}], cost: {runs, tokens, costUsd, seconds}, lands: null or {branch, strategy, message, signed, tree}, mergeCheck: null or {state: not_required|not_checked|passed|failed, summary, at, agentId}, landing: null or {state: waiting|checking|landing, position or null, since, base, check: null or {agentId, since}}, left: null or {reason, output}, merged: [{taskId, commit, base, by, checkedBy, withoutChecks: null or {reason}}], changes: null or {files: [{path, from?, added, removed}], added, removed, problems, warnings}, missing: {rework?, lands?, changes?}}}',
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
					({path, added, removed}) => `${''.padEnd(indent)}+${added} -${removed} ${sanitizeLine(path)}\n`,
				),
				{text: nextStep(sheet), style: 'dim'},
			],
		});
	},
});

/** Columns of the block names. */
const indent = 14;

const marks: Readonly<Record<SheetTone, string>> = {bad: '✗ ', warn: '! ', good: '✓ ', plain: '', dim: ''};
const styles = {bad: 'bad', warn: 'attention', good: 'good', dim: 'dim'} as const;

const renderBlock = ({name, lines}: SheetBlock): Exclude<Text, string> =>
	lines.flatMap((line, index) => renderLine(line, index === 0 ? name : ''));

const renderLine = ({tone, text, about, below = []}: SheetLine, name: string): Exclude<Text, string> => {
	const subject = about === undefined ? '' : `${about}: `;
	const [first = '', ...rest] = `${marks[tone]}${subject}${text}`.split('\n');
	const rows = [first, ...rest, ...below.map(row => `│ ${row}`)].map(row => `${sanitizeLine(row)}\n`);
	return rows.flatMap((row, index) => [
		{text: (index === 0 ? name : '').padEnd(indent), style: 'dim'} as const,
		tone === 'plain' ? row : {text: row, style: styles[tone]},
	]);
};

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

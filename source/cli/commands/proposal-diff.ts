import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {escapeHidden} from '../../domain/escape-hidden.ts';
import {formatCount} from '../../domain/format-count.ts';
import {formatInjectedWarnings} from '../../domain/injected-warnings.ts';
import {type Overlooked, overlookedWarnings} from '../../domain/overlooked.ts';
import {approveCommand} from '../../host/review/approve-command.ts';
import {type CompareContext, compareTrees} from '../../host/review/compare.ts';
import {type LargeFile, previewTrace, readProposal} from '../../host/review/proposals.ts';
import {command, type Result} from '../command.ts';
import {text} from '../flags.ts';
import {traceFlag} from '../shared-flags.ts';
import {warningLine} from '../warning-line.ts';

export const proposalDiff = command({
	path: 'proposal diff',
	summary: 'Show what approving would merge, or what one task proposed.',
	description:
		'Without --task: the whole trace against its base, as the final gate would merge it. The tree id can be given to "proposal approve --tree".',
	flags: {
		trace: traceFlag,
		task: text({summary: 'Only what this task proposed last.', hint: '<id>', complete: 'tasks'}),
		file: text({
			summary: 'Only this file of the trace, even if its change is too large to show at once.',
			hint: '<path>',
			complete: 'files',
		}),
	},
	json: '{v, traceId, base, branch, fork, baseSha, headSha, tree, worktreeTree, stat, patch, files, conflicts, unresolved, repositories, unread, unfiltered, links: [{path, rule}], unsaved, carried, planted, hidden: [{path, kind: control|bidi|invisible, count}], differs: [{path, in: runs|merge}], commits: [{sha, author, subject}], strategy: merge|squash|rebase, baseNotes, gate, truncated, large?: [{path, added, deleted, beginning}], empty, missingWorktree}, with --file {v, traceId, path, files: [{path, from?, added, removed}], patch, truncated}, with --task {v, traceId, taskId, workspace, summary, stat, patch, hidden}',
	run: async ({trace: traceId, task, file}, commandContext) => {
		if (task !== undefined && file !== undefined)
			return refuse('usage', {message: 'Give either --task or --file.'});
		const context = await commandContext.open();
		if (task !== undefined) {
			const proposal = await readProposal(context, traceId, task);
			if (!proposal.ok) return proposal;
			return accepted({
				json: {traceId, ...proposal.value},
				text: [
					...warningsOf(proposal.value),
					escapeHidden(`${proposal.value.stat}\n${proposal.value.patch}`),
				],
			});
		}
		const preview = await previewTrace(context, traceId);
		if (!preview.ok) return preview;
		if (file !== undefined) return showFile(context, preview.value, {traceId, path: file});
		const {base, branch, tree, stat, patch, truncated, empty, conflicts, planted} = preview.value;
		const {
			repositories,
			unread,
			unresolved = [],
			unfiltered = [],
			links = [],
			unsaved,
			gate,
			large = [],
		} = preview.value;
		return accepted({
			json: {traceId, ...preview.value},
			text:
				empty && repositories.length + unread.length === 0
					? [...warningsOf(preview.value), 'There is nothing to merge.']
					: [
							{
								text: `${branch} into ${base || 'a detached HEAD'}, tree ${tree.slice(0, 12) || '(conflict)'}\n`,
								style: 'strong',
							},
							gate === undefined || gate === '' || tree === ''
								? ''
								: `Approve this: ${approveCommand({traceId, taskId: gate}, tree)}\n`,
							...formatInjectedWarnings(planted).map(words => `${words}\n`),
							...warningsOf(preview.value),
							...conflicts
								.filter(path => !unresolved.includes(path))
								.map(path => ({text: `conflict: ${escapeHidden(path)}\n`, style: 'bad'}) as const),
							...unresolved.map(path => notMerged(path, 'which has an unresolved merge in the worktree')),
							...unsaved.map(
								path =>
									({text: `in the way: ${escapeHidden(path)} is not saved in git\n`, style: 'bad'}) as const,
							),
							...repositories.map(path => notMerged(path, 'a git repository of its own')),
							...unread.map(path =>
								notMerged(
									path,
									'which git cannot store: it is unreadable, has a name that git forbids, bytes that its encoding or filter refuses, or is in a submodule without being committed there',
								),
							),
							...unfiltered.map(path =>
								notMerged(path, 'whose required filter was not accepted with "hive init"'),
							),
							...links.map(
								({path, rule}) =>
									({
										text: `a link: ${escapeHidden(path)} is part of the work, since the rule ${rule} ignores only folders\n`,
										style: 'attention',
									}) as const,
							),
							escapeHidden(`${stat}\n${patch}`),
							...large.flatMap(one => largeFile(traceId, one)),
							truncated && large.length === 0 ? '\n(cut at 1 MiB; the rest is on the branch)' : '',
						],
		});
	},
});

const showFile = async (
	context: CompareContext,
	{fork, worktreeTree}: {readonly fork: string; readonly worktreeTree: string},
	{traceId, path}: {readonly traceId: string; readonly path: string},
): Promise<Outcome<Result>> => {
	const compared = await compareTrees(context, {before: fork, after: worktreeTree, paths: [path]});
	if (!compared.ok) return compared;
	const {patch, files, truncated} = compared.value;
	if (files.length === 0)
		return refuse('file_not_found', {
			message: `The trace does not change ${path}.`,
			hint: 'Name a file as "hive proposal diff" does.',
		});
	return accepted({
		json: {traceId, path, files, patch, truncated},
		text: [
			escapeHidden(patch),
			...(truncated
				? [{text: `\nnot shown: what comes after 1 MiB of ${escapeHidden(path)}\n`, style: 'bad'} as const]
				: []),
		],
	});
};

/** Maximum lines and characters that are shown of a large file. */
const [maxLines, maxColumns] = [10, 160];

const largeFile = (traceId: string, {path, added, deleted, beginning}: LargeFile) => {
	const lines = beginning.slice(beginning.indexOf('\n@@ ') + 1).split('\n');
	const first = lines.slice(0, maxLines + 1).map(line => `${escapeHidden(line.slice(0, maxColumns))}\n`);
	return [
		`\n${escapeHidden(path)} +${added} -${deleted}, a text too large to show at once\n${first.join('')}`,
		{
			text: `not shown: ${formatCount(added + deleted, 'line')} of ${escapeHidden(path)}\n`,
			style: 'bad',
		} as const,
		`Show it: hive proposal diff --trace ${traceId} --file ${quoted(path)}\n`,
	];
};

const quoted = (path: string): string =>
	/^[\w./-]+$/.test(path) ? path : `'${escapeHidden(path).replaceAll("'", "'\\''")}'`;

const warningsOf = (overlooked: Overlooked) =>
	overlookedWarnings(overlooked).flatMap(words => [warningLine(words), '\n']);

const notMerged = (path: string, why: string) =>
	({text: `not merged: ${escapeHidden(path)}, ${why}\n`, style: 'bad'}) as const;

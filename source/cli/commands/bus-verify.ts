import {exitCodes} from '../../domain/error-table.ts';
import {accepted} from '../../domain/errors.ts';
import {escapeHidden} from '../../domain/escape-hidden.ts';
import {formatCount} from '../../domain/format-count.ts';
import type {BusVerified} from '../../host/host.ts';
import {command} from '../command.ts';
import {boolean} from '../flags.ts';
import type {Text} from '../text.ts';
import {wrap} from '../wrap.ts';

export const busVerify = command({
	path: 'bus verify',
	summary: 'Check the whole log, the snapshots and files that were made from it, and every merge.',
	description: `
		Finds events and large texts that were changed or are missing. Finds snapshots, and files below .hive/runs/<trace>/tasks, that differ from the log. Exits with 5 if it finds a problem.
		Compares the commit of each merge with the tree that was approved or checked. Names each merge that a person landed without the required checks. A merge whose commit is not in this clone is named, and is no problem.
		Events from before hive had checksums are checked as far as possible; purged events are no problem. A reactor may be at work meanwhile.
		--rebuild first makes differing snapshots and files again from the log, while no reactor is alive.`,
	flags: {
		rebuild: boolean({summary: 'First make snapshots and files again that differ from the log.'}),
	},
	examples: ['bus verify', 'bus verify --json'],
	json: '{v, ok, address, events, sums, traces, checkpoints, files, texts, landings: [{traceId, taskId, commit, tree, state: same|different|by_forge|without_checks|not_here, by, checkedBy?, reason?}], findings: [{about, where, message, fix}], rebuilt?: {checkpoints, tasks}}',
	run: async ({rebuild}, commandContext) => {
		const verified = await commandContext.verifyBus(rebuild);
		if (!verified.ok) return verified;
		const {rebuilt, ...value} = verified.value;
		const ok = value.findings.length === 0;
		return accepted({
			json: {ok, ...value, ...(rebuilt && {rebuilt})},
			text: () => render(verified.value, commandContext.stdout.columns ?? 80),
			exit: ok ? exitCodes.done : exitCodes.invalid,
		});
	},
});

/** Width of `checkpoint`, and a gap. */
const margin = 12;

const render = ({findings, landings, rebuilt, ...counts}: BusVerified, columns: number): Text => {
	const block = (text: string) => wrap(text, columns - margin).join(`\n${' '.repeat(margin)}`);
	return [
		rebuilt === undefined
			? ''
			: `Made ${formatCount(rebuilt.checkpoints, 'checkpoint')} and the files of ${formatCount(rebuilt.tasks, 'task')} again.\n`,
		...findings.flatMap(({about, where, message, fix}) => [
			{text: about.padEnd(margin), style: 'bad'} as const,
			`${block(`${where}: ${message}`)}\n${' '.repeat(margin)}`,
			{text: `${block(fix)}\n`, style: 'dim'} as const,
		]),
		findings.length === 0 ? '' : '\n',
		...notesOn(landings).map(
			note => `${'landing'.padEnd(margin)}${wrap(note, columns - margin).join(`\n${' '.repeat(margin)}`)}\n`,
		),
		summaryOf(counts, findings.length),
		formatLandings(landings),
	];
};

type Landings = BusVerified['landings'];

/** A sentence for each landing that is no problem, but that a person should know of. */
const notesOn = (landings: Landings): readonly string[] =>
	landings.flatMap(({traceId, commit, state, by, reason}) => {
		const where = commit.slice(0, 12);
		if (state === 'not_here') return [`${where}: The merge of ${traceId} is not in this clone.`];
		if (reason === undefined) return [];
		return [
			`${where}: ${by} landed ${traceId} without checks${reason === '' ? '.' : `: "${escapeHidden(reason)}"`}`,
		];
	});

const formatLandings = (landings: Landings): string => {
	if (landings.length === 0) return '';
	const same = landings.filter(({state}) => state === 'same');
	const checked = same.filter(({checkedBy}) => checkedBy !== undefined).length;
	const count = (state: Landings[number]['state']): number =>
		landings.filter(landing => landing.state === state).length;
	const parts = [
		[checked, 'with the tree that was checked'],
		[same.length - checked, 'with the approved tree and no required check'],
		[count('without_checks'), 'without the required checks'],
		[count('by_forge'), 'by the forge, onto a base that had moved'],
		[count('not_here'), 'not in this clone'],
		[count('different'), 'with another tree'],
	] as const;
	const named = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
	return `\n${formatCount(landings.length, 'merge')}: ${named.join(', ')}.`;
};

const summaryOf = (
	{
		address,
		events,
		sums,
		traces,
		checkpoints,
		files,
		texts,
	}: Omit<BusVerified, 'findings' | 'landings' | 'rebuilt'>,
	findings: number,
): string => {
	const older = events - sums;
	return [
		`Log ${address}: ${formatCount(events, 'event')}${older > 0 ? `, ${older} of them without a checksum` : ''}, ${formatCount(traces, 'trace')}, ${formatCount(checkpoints, 'checkpoint')}, ${formatCount(files, 'file')}, ${formatCount(texts, 'large text')}:`,
		findings === 0 ? 'no problem found.' : `${formatCount(findings, 'finding')}.`,
	].join(' ');
};

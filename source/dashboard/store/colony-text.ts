import {formatCount} from '../../domain/format-count.ts';

import type {ColonyFacts} from '../../host/live/live.ts';
import type {DashboardServices} from '../world.ts';

/** Rows of the Colony tab: bees, cues and their problems. */
export const colonyText = ({
	header,
	facts,
	cues,
	consoleAt,
}: Pick<DashboardServices, 'header' | 'facts' | 'cues' | 'consoleAt'>): readonly string[] => {
	const {bees, problems, awaiting, toolAdvice} = facts();
	const offers = cues();
	const served = consoleAt();
	return [
		...section('Colony', [
			['slug', header.slug],
			['root', header.root],
			['branch', header.branch],
			['bus', header.bus],
		]),
		...(served === undefined
			? []
			: section('Console', [
					['address', served.url],
					['link', served.link],
					['', 'It can be opened once, within ten minutes. More: hive console link'],
				])),
		...section(
			formatCount(bees.length, 'bee'),
			bees.map(({name, note}) => [name, note]),
		),
		...section(
			formatCount(offers.length, 'cue'),
			offers.map(({id, description}) => [id, description]),
		),
		...(toolAdvice.length === 0 ? [] : [`✗ ${noToolMessage}`, ...toolAdvice.map(line => `  ${line}`), '']),
		...(problems.length === 0
			? [toolAdvice.length === 0 ? '✓ No problems. hive doctor checks it all.' : '✓ No problem in its files.']
			: [`✗ ${formatCount(problems.length, 'problem')}; hive doctor says more:`]),
		...problemTexts({problems, awaiting}).map(problem => `  ${problem}`),
	];
};

/** The problems in sentences, for a message when they are found. */
export const colonyProblems = ({facts}: Pick<DashboardServices, 'facts'>): readonly string[] => {
	const {toolAdvice, ...found} = facts();
	const problems = problemTexts(found);
	return toolAdvice.length === 0
		? problems
		: [...problems, `${noToolMessage}: the Colony tab says how to get one.`];
};

/** The problems, each with the key that helps, if there is one. */
const problemTexts = ({problems, awaiting}: Pick<ColonyFacts, 'problems' | 'awaiting'>): readonly string[] =>
	problems.map(problem => (awaiting.includes(problem) ? `${problem}. ${acceptKey}` : problem));

const acceptKey = 'F shows and accepts it.';

const noToolMessage = 'No agent tool is on PATH';

const nameWidth = 14;

const section = (title: string, rows: readonly (readonly [string, string])[]): readonly string[] => [
	title,
	...rows.map(([name, note]) => `  ${name.padEnd(nameWidth)} ${note}`),
	'',
];

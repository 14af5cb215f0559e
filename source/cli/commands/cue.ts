import {accepted} from '../../domain/errors.ts';
import {planReviews} from '../../domain/plan-review.ts';
import {runCue} from '../../host/actions/traces.ts';
import {cueViews} from '../../host/views/colony.ts';
import {command} from '../command.ts';
import {choice, repeatable, text} from '../flags.ts';
import {renderTable} from '../render-table.ts';
import {baseFlag, limitFlags, paramFlag, readPairs} from '../shared-flags.ts';

export const cueList = command({
	path: 'cue list',
	summary: 'List the cues of this colony.',
	flags: {},
	json: '{v, cues: [{id, description, emit, planReview, params}]}',
	run: async (_, commandContext) => {
		const {colony} = await commandContext.open();
		const cues = cueViews(colony);
		return accepted({
			json: {cues},
			text: () =>
				cues.length === 0
					? 'No cues. Write one to .hive/cues/<id>.yaml.'
					: renderTable(
							['CUE', 'EMITS', 'DESCRIPTION'].map(title => ({title})),
							cues.map(({id, emit, description}) => [id, emit, description]),
							commandContext.stdout.columns,
						),
		});
	},
});

export const cueRun = command({
	path: 'cue run',
	summary: 'Run a cue: start a feature, or a task, from a few words or from an issue at the forge.',
	description:
		'With --issue the title and text of the issue are the request, and your own words come before its text. "#12" alone as the text does the same. Refused with exit code 4 if the issue is closed, or if a trace works on it already. The pull request of the trace closes the issue when it is merged.',
	flags: {
		issue: text({
			summary: 'An issue at the forge of the colony, by its number or address.',
			hint: '<issue>',
		}),
		trace: text({summary: 'Trace to run it on; default: a new one.', hint: '<id>', complete: 'traces'}),
		set: repeatable({summary: 'A variable of the cue, as name=value.', hint: '<name=value>'}),
		param: paramFlag('A param of bees for all runs of the new trace, such as model=opus.'),
		planReview: choice({
			summary:
				"Whether you accept each plan of a bee before its tasks start; default: the cue's or the colony's.",
			choices: planReviews,
		}),
		base: baseFlag,
		...limitFlags,
	},
	arguments: {
		cue: text({summary: 'Cue to run.', hint: '<cue>', required: true, complete: 'cues'}),
		text: repeatable({summary: 'What is wanted.', hint: '<text>'}),
	},
	examples: ['cue run feature "Add a dark theme"', 'cue run feature --issue 12'],
	json: '{v, traceId, taskId, eventType, kind, waiting, issue: null or {number, url}}',
	run: async (
		{cue, text: words, trace, issue, set, param, planReview, base, maxCost, maxTokens},
		commandContext,
	) => {
		const vars = readPairs('--set', set);
		if (!vars.ok) return vars;
		const params = readPairs('--param', param);
		if (!params.ok) return params;
		const input = {
			...{cueId: cue, text: words.join(' '), traceId: trace, issue},
			...{vars: vars.value, params: params.value, limits: {maxCost, maxTokens}, planReview, base},
		};
		const ran = await runCue.run(await commandContext.open(), input);
		if (!ran.ok) return ran;
		const {value, sentences} = ran.value;
		return accepted({json: value, text: sentences.join('\n')});
	},
});

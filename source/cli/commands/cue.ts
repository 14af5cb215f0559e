import {accepted, refuse} from '../../domain/errors.ts';
import {runCue} from '../../host/actions/traces.ts';
import {cueViews} from '../../host/views/colony.ts';
import {command} from '../command.ts';
import {repeatable, text} from '../flags.ts';
import {renderTable} from '../render-table.ts';
import {limitFlags} from '../shared-flags.ts';

export const cueList = command({
	path: 'cue list',
	summary: 'List the cues of this colony.',
	flags: {},
	json: '{v, cues: [{id, description, emit}]}',
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
	summary: 'Run a cue: start a feature, or a task, from a few words.',
	flags: {
		trace: text({summary: 'Trace to run it on; default: a new one.', hint: '<id>', complete: 'traces'}),
		set: repeatable({summary: 'A variable of the cue, as name=value.', hint: '<name=value>'}),
		...limitFlags,
	},
	arguments: {
		cue: text({summary: 'Cue to run.', hint: '<cue>', required: true, complete: 'cues'}),
		text: repeatable({summary: 'What is wanted.', hint: '<text>'}),
	},
	examples: ['cue run feature "Add a dark theme"'],
	json: '{v, traceId, taskId, eventType, kind, waiting}',
	run: async ({cue, text: words, trace, set, maxCost, maxTokens}, commandContext) => {
		const pairs = set.map(pair => pair.split(/=(.*)/s));
		const broken = pairs.find(([name = '', value]) => name === '' || value === undefined);
		if (broken !== undefined)
			return refuse('usage', {message: `--set needs name=value, not "${broken[0]}".`});
		const vars = Object.fromEntries(pairs.map(([name, value]) => [name, value]));
		const input = {cueId: cue, text: words.join(' '), traceId: trace, vars, limits: {maxCost, maxTokens}};
		const ran = await runCue.run(await commandContext.open(), input);
		if (!ran.ok) return ran;
		const {value, sentences} = ran.value;
		return accepted({json: value, text: sentences.join('\n')});
	},
});

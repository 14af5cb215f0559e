import {accepted} from '../../domain/errors.ts';
import {retryBee} from '../../host/actions/traces.ts';
import {command} from '../command.ts';
import {boolean, text} from '../flags.ts';

const {summary, description, shape, examples} = retryBee;

export const beeRetry = command({
	path: 'bee retry',
	summary,
	...(description && {description}),
	...(examples && {examples}),
	json: shape,
	flags: {
		feedback: text({
			summary: 'What should be different, or the answer to its question; the next prompt starts with it.',
			hint: '<text>',
		}),
		fresh: boolean({summary: 'Start a new session of the agent tool.'}),
	},
	arguments: {
		agent: text({summary: 'Run to repeat.', hint: '<agentId>', required: true, complete: 'runs'}),
	},
	run: async ({agent: agentId, feedback, fresh}, commandContext) => {
		const done = await retryBee.run(await commandContext.open(), {agentId, feedback, fresh});
		if (!done.ok) return done;
		const {value, sentences} = done.value;
		return accepted({json: value, text: sentences.join('\n')});
	},
});

import {accepted} from '../../domain/errors.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';

export const mcp = command({
	path: 'mcp',
	summary: "Serve hive's tools by the Model Context Protocol on standard input and output.",
	description:
		'Inside a run its agent gets tools to publish what its bee may publish, and to ask a person; hive starts it there itself. Outside a run it is for your own assistant: it reads everything, shows what waits for you, and starts features. No tool decides anything.',
	flags: {
		tools: text({summary: 'Only these tools, with commas between them; for runs.', hint: '<names>'}),
	},
	examples: ['mcp'],
	run: async ({tools}, {env, cwd, loadMcp}) => {
		const {serveMcp} = await loadMcp();
		await serveMcp({env, cwd, tools: tools?.split(',')});
		return accepted({json: {}, text: ''});
	},
});

import {conclude, emit, work} from './say.mjs';

await work('Reading source/todo.mjs and test/todo.test.mjs');
await work('Priorities need a field first; sorting and the manual build on it');
emit('INSIGHT', {kind: 'trace.title', title: 'Priorities for to-do items'});
emit('INSIGHT', {
	kind: 'trace.summary',
	summary: 'Items take a priority, open items come most urgent first, and the manual says so.',
});
emit('INSIGHT', {
	kind: 'task.plan',
	tasks: [
		{taskId: 'field', title: 'Give items a priority', bee: 'builder'},
		{taskId: 'order', title: 'List the most urgent items first', bee: 'builder', dependsOn: ['field']},
		{taskId: 'manual', title: 'Describe priorities in the readme', bee: 'builder', dependsOn: ['field']},
	],
});
conclude('Planned three tasks');

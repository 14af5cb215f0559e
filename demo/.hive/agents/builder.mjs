import {appendFile, readFile, writeFile} from 'node:fs/promises';
import {conclude, work} from './say.mjs';

const replace = async (file, from, to) => {
	const text = await readFile(file, 'utf8');
	if (!text.includes(from)) throw new Error(`${file} has no "${from}"`);
	await writeFile(file, text.replace(from, to));
};

const field = async () => {
	await work('Adding a priority to addItem, "normal" unless it is given');
	await replace(
		'source/todo.mjs',
		'export const addItem = (list, title) => [...list, {title, done: false}];',
		"export const addItem = (list, title, priority = 'normal') => [...list, {title, priority, done: false}];",
	);
	await work('Bringing the test along');
	await replace(
		'test/todo.test.mjs',
		"{title: 'Water the plants', done: false},",
		"{title: 'Water the plants', priority: 'normal', done: false},",
	);
	conclude('Items have a priority');
};

const rightOrder = "const urgency = ['high', 'normal', 'low'];";
const wrongOrder = "const urgency = ['low', 'normal', 'high'];";

const order = async () => {
	const source = await readFile('source/todo.mjs', 'utf8');
	if (source.includes(wrongOrder)) {
		await work('The guard is right: the order is upside down');
		await replace('source/todo.mjs', wrongOrder, rightOrder);
		conclude('Turned the order around');
		return;
	}
	await work('Writing the test first');
	await appendFile(
		'test/todo.test.mjs',
		`
test('open items come most urgent first', () => {
	const list = addItem(addItem(createList(), 'Tidy up', 'low'), 'Pay the rent', 'high');
	assert.deepEqual(
		openItems(list).map(({title}) => title),
		['Pay the rent', 'Tidy up'],
	);
});
`,
	);
	await work('Sorting openItems by urgency');
	await replace(
		'source/todo.mjs',
		'export const openItems = list => list.filter(({done}) => !done);',
		`${wrongOrder}

export const openItems = list =>
	list
		.filter(({done}) => !done)
		.sort((one, other) => urgency.indexOf(one.priority) - urgency.indexOf(other.priority));`,
	);
	conclude('Open items are sorted');
};

const manual = async () => {
	await work('Writing a section for the readme');
	await appendFile(
		'readme.md',
		`
## Priorities

An item is \`high\`, \`normal\` or \`low\`; open items come most urgent first.
`,
	);
	conclude('The readme describes priorities');
};

const rework = async () => {
	const words = await readFile(process.env.HIVE_PROMPT_FILE, 'utf8');
	await work('Reading what the reviewer wants');
	await appendFile('readme.md', `\nNoted in review: ${words.trim().split('\n')[0]}\n`);
	conclude('Took up the feedback');
};

const tasks = {field, order, manual};
await (tasks[process.env.HIVE_TASK_ID] ?? rework)();

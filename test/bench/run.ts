import {renderTable} from '../../source/cli/render-table.ts';
import {renderText} from '../../source/cli/text.ts';
import {benchBlame} from './blame.ts';
import {benchBus} from './bus.ts';
import {removeColonies} from './busy-colony.ts';
import {benchConsoleLive} from './console-live.ts';
import {benchContain} from './contain.ts';
import {benchFirstPaint} from './first-paint.ts';
import {benchFrames} from './frames.ts';
import {benchLanding} from './landing.ts';
import {benchLargeReview} from './large-review.ts';
import {benchLargeTrace} from './large-trace.ts';
import {benchLedger} from './ledger.ts';
import {benchOpenAllDay} from './open-all-day.ts';
import {benchPageReview} from './page-review.ts';
import {benchPane} from './pane.ts';
import {benchProcesses} from './processes.ts';
import {benchQuestions} from './questions.ts';
import type {Row} from './row.ts';
import {benchServerBus} from './server-bus.ts';
import {benchSessions} from './sessions.ts';
import {benchStartUp} from './start-up.ts';
import {benchTaskBus} from './task-bus.ts';
import {benchManyTasks} from './task-many.ts';
import {benchTasks} from './tasks.ts';
import {benchWordPairs} from './word-pairs.ts';

/**
 * Prints every measured target of docs/performance.md in one table. `npm run bench -- [name…]` measures only
 * the named ones.
 */
const benches: Readonly<Record<string, () => Promise<Row[]>>> = {
	bus: benchBus,
	'server-bus': benchServerBus,
	'task-bus': benchTaskBus,
	'start-up': benchStartUp,
	ledger: benchLedger,
	'first-paint': benchFirstPaint,
	frames: async () => [...(await benchFrames()), ...(await benchPane())],
	'open-all-day': benchOpenAllDay,
	'large-review': async () => [...(await benchLargeReview()), ...(await benchWordPairs())],
	processes: benchProcesses,
	contain: benchContain,
	sessions: benchSessions,
	'console-live': benchConsoleLive,
	'page-review': benchPageReview,
	questions: benchQuestions,
	'large-trace': benchLargeTrace,
	tasks: benchTasks,
	landing: benchLanding,
	blame: benchBlame,
	'many-tasks': benchManyTasks,
};

/** Benchmarks that take longer than all others together. They run only if they are named. */
const onDemand: readonly string[] = ['many-tasks'];

const chosen = process.argv.slice(2);
const rows: Row[] = [];
for (const [name, bench] of Object.entries(benches)) {
	if (chosen.length > 0 ? !chosen.includes(name) : onDemand.includes(name)) continue;
	console.error(`Measuring ${name}…`);
	rows.push(...(await bench()));
}
await removeColonies();

const heads = [
	{title: 'ROW', right: true},
	{title: 'WHAT'},
	{title: 'RATIO', right: true},
	{title: 'TARGET'},
	{title: 'MET'},
	{title: 'HOW'},
];
const cells = rows
	.toSorted((one, other) => one.row - other.row)
	.map(({row, name, ratio, target, met, detail}) => [
		String(row),
		name,
		ratio.toFixed(2),
		target,
		met ? 'yes' : 'NO',
		detail,
	]);
console.log(renderText(await renderTable(heads, cells, process.stdout.columns), false));

import {formatOrigin, type LineOrigin, type OriginFact} from '../../host/views/line-origin.ts';
import {outcomeOf} from '../outcome-of.ts';
import {type ColourToken, type Line, line} from '../parts/line.ts';
import {type AskedLine, askedLines} from '../store/asked-lines.ts';
import {setMode} from '../store/mode-changes.ts';
import {actionEnded, actionStarted, showToast} from '../store/notice-changes.ts';
import type {HandleContext} from './context.ts';

/** Shows who wrote the lines at the cursor of the diff, unless the person does something else by then. */
export const showLineOrigin = async ({store, world: services}: HandleContext): Promise<void> => {
	const asked = askedLines(store.getState());
	const what = 'Reading who wrote the line';
	store.dispatch(actionStarted(what));
	const lines: Line[] = [];
	let refused: string | undefined;
	for (const one of asked) {
		const outcome = await outcomeOf(services, () => services.lineOrigin(one.subject, one.question));
		if (outcome.ok) lines.push(...originLines(one, outcome.value));
		else refused = `${outcome.refusal.message} ${outcome.refusal.hint}`;
	}
	store.enqueue(actionEnded(what));
	if (refused !== undefined) store.dispatch(showToast(refused, 'bad'));
	else if (store.getState().mode.kind === 'browse')
		store.dispatch(setMode({kind: 'details', title: 'Who wrote the line', lines, top: 0}));
};

/** Columns of the names of facts. */
const margin = 13;

const tones: Readonly<Record<OriginFact['tone'], ColourToken>> = {
	...{plain: 'plain', good: 'good', bad: 'bad', attention: 'accent', dim: 'dim'},
};

const originLines = (
	{question: {path, side, line: number}}: AskedLine,
	origin: LineOrigin,
): readonly Line[] => [
	line(`${path}:${number}, ${side === 'old' ? 'as it was' : 'as it is now'}`, 'strong'),
	...formatOrigin(origin).flatMap(({name, text, tone}) =>
		text
			.split('\n')
			.map((part, index) => line(`${(index === 0 ? name : '').padEnd(margin)}${part}`, tones[tone])),
	),
];

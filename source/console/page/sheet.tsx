import {useState} from 'preact/hooks';
import type {Sheet} from '../../host/views/sheet.ts';
import {type SheetBlock, type SheetLine, sheetBlocks} from '../../host/views/sheet-lines.ts';
import {type Address, pathTo} from './api.ts';
import {useOnce} from './live.ts';
import {Markdown} from './markdown.tsx';
import {safe} from './safe.tsx';

const signs = {bad: '✗', warn: '!', good: '✓', plain: '', dim: ''} as const;
const spoken = {bad: 'Problem: ', warn: 'Careful: ', good: 'Good: ', plain: '', dim: ''} as const;

type SheetAddress = Address<{readonly sheet: Sheet}>;

/**
 * Returns the sheet of a trace, or of one of its tasks: first what is recorded, which is there at once, then
 * all of it.
 *
 * @param version the sheet is read again when it changes; empty to read nothing
 * @param isWhole false to read only what is recorded
 */
export const useSheet = (
	{traceId, taskId}: {readonly traceId: string; readonly taskId?: string},
	version: string,
	isWhole = true,
): {readonly sheet?: Sheet; readonly isComplete: boolean} => {
	const address = (query: Readonly<Record<string, string>>): SheetAddress =>
		taskId === undefined
			? pathTo('/api/traces/:traceId/sheet', {traceId}, query)
			: pathTo('/api/traces/:traceId/tasks/:taskId/sheet', {traceId, taskId}, query);
	const {value: recorded} = useOnce(address({recorded: 'only'}), version);
	const {value: whole} = useOnce(address({}), isWhole ? version : '');
	const sheet = (whole ?? recorded)?.sheet;
	return {...(sheet && {sheet}), isComplete: !isWhole || whole !== undefined};
};

/** Everything that a person decides from, as blocks of lines. */
export const SheetView = ({sheet, isComplete}: {sheet: Sheet | undefined; isComplete: boolean}) => (
	<section class="sheet" aria-label="What to decide from" aria-busy={!isComplete}>
		{sheet === undefined
			? null
			: sheetBlocks(sheet, Date.now())
					.filter(({id}) => !isComplete || !isUnread(sheet, id))
					.map(block => <Block key={block.id} block={block} />)}
		{isComplete || sheet !== undefined ? null : <Block block={reading('changes', 'Changes')} />}
	</section>
);

/** True if the block only keeps the place of a part that is not read here. */
const isUnread = (sheet: Sheet, id: SheetBlock['id']): boolean =>
	(id === 'lands' || id === 'changes') && sheet[id] === null && sheet.missing[id] === undefined;

/** Keeps the place of a block that is still being read. */
const reading = (id: SheetBlock['id'], name: string): SheetBlock => ({
	id,
	name,
	lines: [{tone: 'dim', text: 'reading…'}],
});

const Block = ({block: {id, name, lines}}: {block: SheetBlock}) => (
	<div class={`block b-${id}`}>
		<h3>{name}</h3>
		<ul>
			{lines.map((line, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
				<Line key={index} line={line} id={id} />
			))}
		</ul>
	</div>
);

/** Blocks whose whole text an agent wrote. */
const agentsWords: readonly SheetBlock['id'][] = ['tasks', 'guards'];

const Line = ({line: {tone, about, text, below = [], more}, id}: {line: SheetLine; id: SheetBlock['id']}) => {
	const [isOpen, open] = useState(false);
	return (
		<li class={`tone-${tone}`}>
			<span class="sign">
				<span aria-hidden="true">{signs[tone]}</span>
				<span class="unseen">{spoken[tone]}</span>
			</span>
			<div>
				<p>
					{about === undefined || about === '' ? null : <b>{safe(about)} </b>}
					<span class="text">{safe(text)}</span>{' '}
					{more === undefined ? null : (
						<button type="button" class="plain more" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
							{isOpen ? 'less' : 'more'}
						</button>
					)}
				</p>
				{isOpen || below.length === 0 ? null : <pre>{below.map(safe).join('\n')}</pre>}
				{!isOpen || more === undefined ? null : agentsWords.includes(id) ? (
					<Markdown text={more} />
				) : (
					<pre>{safe(more)}</pre>
				)}
			</div>
		</li>
	);
};

/** The lines that speak against an approval, or ask for care. */
export const RedLines = ({sheet}: {sheet: Sheet}) => {
	const lines = sheetBlocks(sheet, Date.now()).flatMap(({name, id, lines: all}) =>
		all.flatMap(line => (line.tone === 'bad' || line.tone === 'warn' ? [{name, id, line}] : [])),
	);
	if (lines.length === 0) return null;
	return (
		<section class="sheet red" aria-label="What speaks against it">
			{lines.map(({name, id, line}, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
				<div key={index} class="block">
					<h3>{name}</h3>
					<ul>
						<Line line={line} id={id} />
					</ul>
				</div>
			))}
		</section>
	);
};

import type {ChangedLine, FileChange} from '../answers.ts';
import {type Comment, keyOfLine, type Talk, Talks} from './line-comments.tsx';
import type {AskedLine} from './line-origin.tsx';
import {useNear} from './near.ts';
import {safe, safePath} from './safe.tsx';

/** The lines of a row: one twice in a unified diff, the old and the new one side by side. */
export type Row = readonly [ChangedLine | undefined, ChangedLine | undefined];

/** Height of a row in pixels, as in the style. */
export const rowHeight = 24;

/** Rows of a file, drawn while they are near the view. They are a table, so their layout stays their own. */
export const Chunk = ({
	rows,
	file,
	isSplit,
	digits,
	tap,
	talk,
}: {
	rows: readonly Row[];
	file: FileChange;
	isSplit: boolean;
	/** Of the highest line number of the file. */
	digits: number;
	/** Opens what can be done with a line. Undefined if that is nothing. */
	tap: ((event: MouseEvent) => void) | undefined;
	talk: Talk;
}) => {
	const {canComment} = talk;
	const does = canComment ? 'Comment on' : 'Who wrote';
	const {box, isNear, height = rows.length * rowHeight} = useNear<HTMLDivElement>();
	const rowOf = ([old, now]: Row, index: number) => {
		const shown = isSplit
			? [...sideOf(old, 'old'), ...sideOf(now, 'new')]
			: [...sideOf(old, 'old'), ...sideOf(old, 'new')];
		const talks = shown.flatMap(({line, side, number}) => {
			const place = {path: file.path, side, line: number, quote: line.text};
			const key = keyOfLine(place);
			const comments = talk.own.filter(one => one.side === side && one.line === number);
			return comments.length === 0 && talk.edited !== key
				? []
				: [
						<Talks
							key={key}
							place={place}
							asked={askedLine(file, line, place, talk.asks?.fork !== '')}
							comments={comments}
							talk={talk}
							span={isSplit ? 4 : 3}
						/>,
					];
		});
		const line = (
			<Line key={index} {...{old, now, isSplit, does}} canTap={tap !== undefined} path={file.path} />
		);
		return talks.length === 0 ? line : [line, ...talks];
	};
	return (
		<div ref={box} class={isNear ? '' : 'later'} style={{height: isNear ? '' : height}}>
			{isNear ? (
				// biome-ignore lint/a11y/useKeyWithClickEvents: each line has a button for the keyboard.
				<table class={tap === undefined ? '' : 'can-comment'} style={{'--digits': digits}} onClick={tap}>
					<colgroup>
						<col class="number" />
						{isSplit ? <col /> : null}
						<col class="number" />
						<col />
					</colgroup>
					<tbody>{rows.map(rowOf)}</tbody>
				</table>
			) : null}
		</div>
	);
};

/** An unchanged line is asked for in the base, if the base is known. */
const askedLine = (
	{path, from = path}: FileChange,
	{kind, old, new: now}: ChangedLine,
	{side, line}: Pick<Comment, 'side' | 'line'>,
	isBaseKnown: boolean,
): AskedLine => {
	if (kind !== 'same') return {path: side === 'old' ? from : path, side, line};
	return isBaseKnown ? {path: from, side: 'old', line: old ?? line} : {path, side: 'new', line: now ?? line};
};

const sideOf = (line: ChangedLine | undefined, side: 'old' | 'new') =>
	line?.[side] === undefined ? [] : [{line, side, number: line[side]}];

/** A row of the diff. */
const Line = ({
	old,
	now,
	isSplit,
	path,
	does,
	canTap,
}: {
	old: ChangedLine | undefined;
	now: ChangedLine | undefined;
	isSplit: boolean;
	path: string;
	does: string;
	canTap: boolean;
}) => {
	if (old?.kind === 'hunk')
		return (
			<tr class="hunk">
				<td colSpan={isSplit ? 4 : 3}>{safe(old.text)}</td>
			</tr>
		);
	const number = (line: ChangedLine | undefined, side: 'old' | 'new') => (
		<LineNumber number={line?.[side]} side={side} path={path} does={does} canTap={canTap} />
	);
	const code = (line: ChangedLine | undefined, side: 'old' | 'new') => (
		<td class={`code ${line?.kind ?? 'none'}`} data-line={line?.[side] && `${side} ${line[side]}`}>
			<Code line={line} />
		</td>
	);
	return isSplit ? (
		<tr>
			{number(old, 'old')}
			{code(old, 'old')}
			{number(now, 'new')}
			{code(now, 'new')}
		</tr>
	) : (
		<tr class={now?.kind}>
			{number(old, 'old')}
			{number(now, 'new')}
			{code(now, now?.new === undefined ? 'old' : 'new')}
		</tr>
	);
};

/** A line number. Clicking it opens what can be done with the line. */
const LineNumber = ({
	number,
	side,
	path,
	does,
	canTap,
}: {
	number: number | undefined;
	side: 'old' | 'new';
	path: string;
	does: string;
	canTap: boolean;
}) => {
	if (number === undefined) return <td class="number" />;
	return (
		<td class="number" data-line={`${side} ${number}`}>
			{canTap ? (
				<button type="button" class="plain" aria-label={`${does} ${safePath(path)}, ${side} line ${number}`}>
					{number}
				</button>
			) : (
				number
			)}
		</td>
	);
};

/** The highlighted text of a line. If the parts do not cover the line, its rest follows without a colour. */
const Code = ({line}: {line: ChangedLine | undefined}) => {
	if (line === undefined) return null;
	let position = 0;
	const parts = (line.parts?.split(' ') ?? []).map(part => {
		const length = Number.parseInt(part, 10);
		const text = safe(line.text.slice(position, position + length));
		position += length;
		const kind = part.replace(/^\d+/, '');
		return kind === '' ? (
			text
		) : (
			<span key={position} class={`is-${kind}`}>
				{text}
			</span>
		);
	});
	return (
		<>
			{signs[line.kind]} {parts}
			{safe(line.text.slice(position))}
		</>
	);
};

const signs = {added: '+', removed: '−', same: ' ', hunk: ' '};

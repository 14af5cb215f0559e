import {useEffect, useRef, useState} from 'preact/hooks';
import type {ChangedLine, FileChange} from '../answers.ts';
import {keyOfLine, type Talk, Talks} from './line-comments.tsx';
import {safe, safePath} from './safe.tsx';

/** The lines of a row: one twice in a unified diff, the old and the new one side by side. */
export type Row = readonly [ChangedLine | undefined, ChangedLine | undefined];

const observers = new Map<Element, () => void>();

/** Calls once, shortly before the element comes into view. */
const sight = new IntersectionObserver(
	entries => {
		for (const {target, isIntersecting} of entries) {
			if (!isIntersecting) continue;
			sight.unobserve(target);
			observers.get(target)?.();
			observers.delete(target);
		}
	},
	{rootMargin: '600px'},
);

/** Height of a row in pixels, as in the style. */
const rowHeight = 24;

/** Rows of a file, drawn once they come near the view. */
export const Chunk = ({
	rows,
	file,
	isSplit,
	canComment,
	talk,
}: {
	rows: readonly Row[];
	file: FileChange;
	isSplit: boolean;
	canComment: boolean;
	talk: Talk;
}) => {
	const [isSeen, see] = useState(false);
	const box = useRef<HTMLTableSectionElement>(null);
	useEffect(() => {
		const element = box.current;
		if (element === null || isSeen) return;
		observers.set(element, () => see(true));
		sight.observe(element);
		return () => {
			sight.unobserve(element);
			observers.delete(element);
		};
	}, [isSeen]);
	if (!isSeen)
		return (
			<tbody ref={box} class="later">
				<tr>
					<td style={{height: rows.length * rowHeight}} />
				</tr>
			</tbody>
		);
	return (
		<tbody>
			{rows.map(([old, now], index) => {
				const lines = isSplit
					? [
							...(old?.old === undefined ? [] : [{line: old, side: 'old' as const, number: old.old}]),
							...(now?.new === undefined ? [] : [{line: now, side: 'new' as const, number: now.new}]),
						]
					: sidesOf(old);
				return [
					// biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
					<Line key={index} old={old} now={now} isSplit={isSplit} path={file.path} canComment={canComment} />,
					...lines.flatMap(({line, side, number}) => {
						const place = {path: file.path, side, line: number, quote: line.text};
						const key = keyOfLine(place);
						const comments = talk.own.filter(one => one.side === side && one.line === number);
						return comments.length === 0 && talk.edited !== key
							? []
							: [<Talks key={key} place={place} comments={comments} talk={talk} span={isSplit ? 4 : 3} />];
					}),
				];
			})}
		</tbody>
	);
};

const sidesOf = (line: ChangedLine | undefined) => [
	...(line?.old === undefined ? [] : [{line, side: 'old' as const, number: line.old}]),
	...(line?.new === undefined ? [] : [{line, side: 'new' as const, number: line.new}]),
];

/** A row of the diff. */
const Line = ({
	old,
	now,
	isSplit,
	path,
	canComment,
}: {
	old: ChangedLine | undefined;
	now: ChangedLine | undefined;
	isSplit: boolean;
	path: string;
	canComment: boolean;
}) => {
	if (old?.kind === 'hunk')
		return (
			<tr class="hunk">
				<td colSpan={isSplit ? 4 : 3}>{safe(old.text)}</td>
			</tr>
		);
	const number = (line: ChangedLine | undefined, side: 'old' | 'new') => (
		<LineNumber number={line?.[side]} side={side} path={path} canComment={canComment} />
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

/** A line number. Clicking it starts a comment on the line. */
const LineNumber = ({
	number,
	side,
	path,
	canComment,
}: {
	number: number | undefined;
	side: 'old' | 'new';
	path: string;
	canComment: boolean;
}) => {
	if (number === undefined) return <td class="number" />;
	return (
		<td class="number" data-line={`${side} ${number}`}>
			{canComment ? (
				<button
					type="button"
					class="plain"
					aria-label={`Comment on ${safePath(path)}, ${side} line ${number}`}
				>
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
	const parts = (line.parts ?? []).map(([length, kind]) => {
		const text = line.text.slice(position, position + length);
		position += length;
		return (
			<span key={position} class={kind === '' ? undefined : `is-${kind}`}>
				{safe(text)}
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

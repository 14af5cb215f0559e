import type {ComponentChildren} from 'preact';
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import type {ChangedLine, FileChange} from '../answers.ts';
import {useDraft} from './drafts.ts';
import {scrollAmong, useKey} from './keyboard.ts';
import {pairsOf} from './pairs.ts';
import {safe, safePath} from './safe.tsx';

/** A person's comment on a line. */
export type Comment = {
	readonly path: string;
	readonly side: 'old' | 'new';
	readonly line: number;
	readonly text: string;
	readonly quote: string;
};

/** Comments on lines, and the functions that change them. */
export type Commenting = {
	/** The key under which unfinished words are kept. */
	readonly draft: string;
	readonly comments: readonly Comment[];
	readonly add: (comment: Comment) => void;
	readonly remove: (comment: Comment) => void;
};

const wideScreen = matchMedia('(min-width: 1100px)');

const keyOfLine = ({path, side, line}: Pick<Comment, 'path' | 'side' | 'line'>): string =>
	`${side} ${line} ${path}`;

/** A diff with a list of its files, unified or side by side. Files are drawn when they come into view. */
export const Diff = ({files, commenting}: {files: readonly FileChange[]; commenting?: Commenting}) => {
	const [isSplit, split] = useState(wideScreen.matches);
	const [edited, edit] = useDraft(commenting === undefined ? '' : `line ${commenting.draft}`, '');
	useKey(key => {
		const step = {'[': -1, '{': -1, ']': 1, '}': 1}[key] as 1 | -1 | undefined;
		return step !== undefined && scrollAmong(/[{}]/.test(key) ? '.file' : '.file :is(.hunk, .later)', step);
	});
	return (
		<div class={files.length > 1 ? 'diff with-tree' : 'diff'}>
			{files.length > 1 ? <Tree files={files} comments={commenting?.comments ?? none} /> : null}
			<div class="files-shown">
				<div class="actions">
					<button type="button" aria-pressed={!isSplit} onClick={() => split(false)}>
						Unified
					</button>
					<button type="button" aria-pressed={isSplit} onClick={() => split(true)}>
						Side by side
					</button>
				</div>
				{files.map((file, index) => (
					<File
						key={file.path}
						id={`file-${index}`}
						file={file}
						isSplit={isSplit}
						edited={edited.endsWith(` ${file.path}`) ? edited : ''}
						edit={edit}
						commenting={commenting}
					/>
				))}
			</div>
		</div>
	);
};

const none: readonly Comment[] = [];

/** The files by folder, with a filter. */
const Tree = ({files, comments}: {files: readonly FileChange[]; comments: readonly Comment[]}) => {
	const [filter, set] = useState('');
	return useMemo(() => {
		let folder = '';
		const rows = files.flatMap((file, index): ComponentChildren[] => {
			if (!file.path.toLowerCase().includes(filter.toLowerCase())) return [];
			const cut = file.path.lastIndexOf('/') + 1;
			const isNew = file.path.slice(0, cut) !== folder;
			folder = file.path.slice(0, cut);
			const count = comments.filter(({path}) => path === file.path).length;
			return [
				...(isNew
					? [
							<li key={`in ${folder}`} class="folder">
								{safePath(folder)}
							</li>,
						]
					: []),
				<li key={file.path}>
					<button
						type="button"
						class="plain"
						data-row
						onClick={() => document.getElementById(`file-${index}`)?.scrollIntoView()}
					>
						<span class="file-name">{safePath(file.path.slice(cut))}</span>{' '}
						{count === 0 ? null : <span class="badge">{count}</span>} <Counts file={file} />
					</button>
				</li>,
			];
		});
		return (
			<details class="tree" open={wideScreen.matches}>
				<summary>{files.length} files</summary>
				{files.length > 8 ? (
					<input
						type="search"
						aria-label="Filter the files"
						placeholder="Filter"
						value={filter}
						onInput={event => set(event.currentTarget.value)}
					/>
				) : null}
				<ul class="files">{rows}</ul>
			</details>
		);
	}, [files, comments, filter]);
};

const Counts = ({file: {added, removed}}: {file: FileChange}) => (
	<span class="counts">
		<span class="added">+{added}</span> <span class="removed">−{removed}</span>
	</span>
);

type Row = readonly [ChangedLine | undefined, ChangedLine | undefined];

/** Rows that are drawn together. A long task would block the page. */
const chunkSize = 120;

const File = ({
	id,
	file,
	isSplit,
	edited,
	edit,
	commenting,
}: {
	id: string;
	file: FileChange;
	isSplit: boolean;
	edited: string;
	edit: (key: string | undefined) => void;
	commenting: Commenting | undefined;
}) => {
	const [isOpen, open] = useState(file.lines.length < 2000);
	const own = useOwnComments(commenting?.comments ?? none, file.path);
	const newest = useRef(commenting);
	newest.current = commenting;
	const canComment = commenting !== undefined;
	const body = useMemo(() => {
		if (!isOpen) return null;
		const rows: readonly Row[] = isSplit ? pairsOf(file.lines) : file.lines.map(line => [line, line]);
		const chunks = Array.from({length: Math.ceil(rows.length / chunkSize)}, (_, index) =>
			rows.slice(index * chunkSize, (index + 1) * chunkSize),
		);
		const tap = (event: MouseEvent): void => {
			if (!canComment || !(event.target instanceof Element) || getSelection()?.isCollapsed === false) return;
			const cell = event.target.closest('[data-line]');
			const [side, line] = (cell?.getAttribute('data-line') ?? '').split(' ');
			if (line !== undefined) edit(`${side} ${line} ${file.path}`);
		};
		const talk = {
			own,
			edited,
			close: () => edit(undefined),
			add: (comment: Comment) => newest.current?.add(comment),
			remove: (comment: Comment) => newest.current?.remove(comment),
			draft: newest.current?.draft ?? '',
		};
		return (
			// biome-ignore lint/a11y/useKeyWithClickEvents: each line has a button for the keyboard.
			<table class={`${isSplit ? 'split' : ''} ${canComment ? 'can-comment' : ''}`} onClick={tap}>
				{chunks.map((chunk, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: chunks have no other name.
					<Chunk key={index} rows={chunk} file={file} isSplit={isSplit} canComment={canComment} talk={talk} />
				))}
			</table>
		);
	}, [file, isSplit, isOpen, own, edited, canComment]);
	return (
		<details id={id} class="file" open={isOpen} onToggle={event => open(event.currentTarget.open)}>
			<summary>
				{safePath(file.path)} <Counts file={file} />
			</summary>
			<div class="scroll">{body}</div>
		</details>
	);
};

/** The comments on a file, as the same array while they are the same. */
const useOwnComments = (comments: readonly Comment[], path: string): readonly Comment[] => {
	const kept = useRef<readonly Comment[]>(none);
	const own = comments.filter(comment => comment.path === path);
	if (own.length !== kept.current.length || own.some((one, index) => one !== kept.current[index]))
		kept.current = own;
	return kept.current;
};

type Talk = {
	readonly own: readonly Comment[];
	/** The line that has the editor, as `side line path`. Empty for none. */
	readonly edited: string;
	readonly close: () => void;
	readonly add: (comment: Comment) => void;
	readonly remove: (comment: Comment) => void;
	readonly draft: string;
};

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

const Chunk = ({
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

/** The comments on a line, and the editor of another one. */
const Talks = ({
	place,
	comments,
	talk,
	span,
}: {
	place: Omit<Comment, 'text'>;
	comments: readonly Comment[];
	talk: Talk;
	span: number;
}) => (
	<tr class="talk">
		<td colSpan={span}>
			{comments.map(comment => (
				<CommentView key={comment.text} comment={comment} remove={talk.remove} />
			))}
			{talk.edited === keyOfLine(place) ? <Editor place={place} talk={talk} /> : null}
		</td>
	</tr>
);

export const CommentView = ({comment, remove}: {comment: Comment; remove: (comment: Comment) => void}) => (
	<p class="comment">
		<code>
			{safePath(comment.path)}:{comment.line}
		</code>{' '}
		{safe(comment.text)}{' '}
		<button
			type="button"
			class="plain"
			aria-label={`Remove the comment on ${safePath(comment.path)}, line ${comment.line}`}
			onClick={() => remove(comment)}
		>
			✕
		</button>
	</p>
);

const Editor = ({place, talk}: {place: Omit<Comment, 'text'>; talk: Talk}) => {
	const [text, type] = useDraft(`comment ${talk.draft} ${keyOfLine(place)}`, '');
	const box = useRef<HTMLTextAreaElement>(null);
	useEffect(() => box.current?.focus(), []);
	const add = (event: SubmitEvent): void => {
		event.preventDefault();
		if (text.trim() === '') return;
		talk.add({...place, text: text.trim()});
		type(undefined);
		talk.close();
	};
	return (
		<form class="comment" onSubmit={add}>
			<textarea
				ref={box}
				rows={3}
				aria-label={`Comment on ${safePath(place.path)}, ${place.side} line ${place.line}`}
				value={text}
				onInput={event => type(event.currentTarget.value)}
				onKeyDown={event => {
					if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
						event.currentTarget.form?.requestSubmit();
					if (event.key === 'Escape' && text === '') talk.close();
				}}
			/>
			<div class="actions">
				<button type="submit" class="act" disabled={text.trim() === ''}>
					Add comment
				</button>
				<button type="button" onClick={() => talk.close()}>
					{text === '' ? 'Close' : 'Keep for later'}
				</button>
			</div>
		</form>
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

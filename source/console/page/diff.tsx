import type {ComponentChildren} from 'preact';
import {useMemo, useRef, useState} from 'preact/hooks';
import type {FileChange} from '../answers.ts';
import {Chunk, type Row, rowHeight} from './diff-lines.tsx';
import {useDraft} from './drafts.ts';
import {scrollAmong, useKey} from './keyboard.ts';
import type {Comment} from './line-comments.tsx';
import type {AskedChange} from './line-origin.tsx';
import type {Marks} from './marks.ts';
import {useGrowing, useNear} from './near.ts';
import {pairsOf} from './pairs.ts';
import {safePath} from './safe.tsx';

/** Comments on lines, and the functions that change them. */
export type Commenting = {
	/** The key under which unfinished words are kept. */
	readonly draft: string;
	readonly comments: readonly Comment[];
	readonly add: (comment: Comment) => void;
	readonly remove: (comment: Comment) => void;
};

const wideScreen = matchMedia('(min-width: 1100px)');

/**
 * A diff with a list of its files, unified or side by side. Files are drawn when they come into view. With
 * `marks` each file can be marked as reviewed, which folds it.
 */
export const Diff = ({
	files,
	commenting,
	asks,
	marks,
}: {
	files: readonly FileChange[];
	commenting?: Commenting;
	/** The change, if the origin of its lines can be asked for. */
	asks?: AskedChange;
	marks?: Marks;
}) => {
	const [isSplit, split] = useState(wideScreen.matches);
	const drawn = useGrowing(files.length);
	const [edited, edit] = useDraft(commenting === undefined ? '' : `line ${commenting.draft}`, '');
	useKey(key => {
		const step = {'[': -1, '{': -1, ']': 1, '}': 1}[key] as 1 | -1 | undefined;
		return step !== undefined && scrollAmong(/[{}]/.test(key) ? '.file' : '.file :is(.hunk, .later)', step);
	});
	return (
		<div class={files.length > 1 ? 'diff with-tree' : 'diff'}>
			{files.length > 1 ? (
				<Tree
					files={files}
					drawn={drawn}
					comments={commenting?.comments ?? none}
					reviewed={marks?.reviewed}
				/>
			) : null}
			<div class="files-shown">
				<div class="actions">
					<button type="button" aria-pressed={!isSplit} onClick={() => split(false)}>
						Unified
					</button>
					<button type="button" aria-pressed={isSplit} onClick={() => split(true)}>
						Side by side
					</button>
				</div>
				{files.slice(0, drawn).map((file, index) => (
					<File
						key={file.path}
						id={`file-${index}`}
						file={file}
						isSplit={isSplit}
						edited={edited.endsWith(` ${file.path}`) ? edited : ''}
						edit={edit}
						commenting={commenting}
						asks={asks}
						isReviewed={marks?.reviewed.has(file.mark)}
						mark={marks?.set}
					/>
				))}
			</div>
		</div>
	);
};

const none: readonly Comment[] = [];

/** The files by folder, with a filter. */
const Tree = ({
	files,
	drawn,
	comments,
	reviewed,
}: {
	files: readonly FileChange[];
	drawn: number;
	comments: readonly Comment[];
	reviewed: ReadonlySet<string> | undefined;
}) => {
	const [filter, set] = useState('');
	return useMemo(() => {
		let folder = '';
		const count = files.filter(({mark}) => reviewed?.has(mark)).length;
		const rows = files.slice(0, drawn).flatMap((file, index): ComponentChildren[] => {
			if (!file.path.toLowerCase().includes(filter.toLowerCase())) return [];
			const cut = file.path.lastIndexOf('/') + 1;
			const isNew = file.path.slice(0, cut) !== folder;
			folder = file.path.slice(0, cut);
			const own = comments.filter(({path}) => path === file.path).length;
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
						<span class="file-name">
							{safePath(file.path.slice(cut))}
							{reviewed?.has(file.mark) ? <span class="added"> ✓</span> : null}
						</span>{' '}
						{own === 0 ? null : <span class="badge">{own}</span>} <Counts file={file} />
					</button>
				</li>,
			];
		});
		return (
			<details class="tree" open={wideScreen.matches}>
				<summary>
					{files.length} files
					{count === 0 ? '' : `, ${count} reviewed`}
				</summary>
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
	}, [files, drawn, comments, reviewed, filter]);
};

const Counts = ({file: {added, removed}}: {file: FileChange}) => (
	<span class="counts">
		<span class="added">+{added}</span> <span class="removed">−{removed}</span>
	</span>
);

/** Rows that are drawn together. A long task would block the page. */
const chunkSize = 40;

/** Height of the name of a file in pixels, about. */
const nameHeight = 28;

const File = ({
	id,
	file,
	isSplit,
	edited,
	edit,
	commenting,
	asks,
	isReviewed,
	mark,
}: {
	id: string;
	file: FileChange;
	isSplit: boolean;
	edited: string;
	edit: (key: string | undefined) => void;
	commenting: Commenting | undefined;
	asks: AskedChange | undefined;
	/** Undefined if files cannot be marked. */
	isReviewed: boolean | undefined;
	mark: Marks['set'] | undefined;
}) => {
	const [isOpen, open] = useState(file.lines.length < 2000 && isReviewed !== true);
	const {box, isNear, height: drawnHeight} = useNear<HTMLDivElement>();
	const height = drawnHeight || file.lines.length * rowHeight;
	const own = useOwnComments(commenting?.comments ?? none, file.path);
	const newest = useRef(commenting);
	newest.current = commenting;
	const canComment = commenting !== undefined;
	const body = useMemo(() => {
		if (!isOpen || !isNear) return null;
		const rows: readonly Row[] = isSplit ? pairsOf(file.lines) : file.lines.map(line => [line, line]);
		const highest = file.lines.reduce((most, line) => Math.max(most, line.old ?? 0, line.new ?? 0), 0);
		const chunks = Array.from({length: Math.ceil(rows.length / chunkSize)}, (_, index) => ({
			name: `${isSplit} ${index}`,
			rows: rows.slice(index * chunkSize, (index + 1) * chunkSize),
		}));
		const tap = (event: MouseEvent): void => {
			if (!(event.target instanceof Element) || getSelection()?.isCollapsed === false) return;
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
			...{canComment, ...(asks && {asks})},
		};
		return chunks.map(({name, rows: some}) => (
			<Chunk
				key={name}
				rows={some}
				file={file}
				isSplit={isSplit}
				digits={String(highest).length}
				tap={canComment || asks !== undefined ? tap : undefined}
				talk={talk}
			/>
		));
	}, [file, isSplit, isOpen, isNear, own, edited, canComment, asks]);
	const shown = useRef<HTMLDivElement>(null);
	const toggle = ({currentTarget: {checked}}: {currentTarget: HTMLInputElement}): void => {
		mark?.(file.mark, checked);
		open(!checked);
		// What is folded above the view would take the place in the next file along.
		if (checked && (shown.current?.getBoundingClientRect().top ?? 0) < 0) shown.current?.scrollIntoView();
	};
	return useMemo(
		() => (
			<div
				id={id}
				ref={shown}
				class="file"
				style={{containIntrinsicHeight: `auto ${isOpen ? height + nameHeight : nameHeight}px`}}
			>
				{isReviewed === undefined ? null : (
					<label class="mark">
						<input
							type="checkbox"
							checked={isReviewed}
							aria-label={`${safePath(file.path)} is reviewed`}
							onChange={toggle}
						/>{' '}
						<span aria-hidden="true">reviewed</span>
					</label>
				)}
				<details open={isOpen} onToggle={event => open(event.currentTarget.open)}>
					<summary>
						{safePath(file.path)} <Counts file={file} />
					</summary>
					<div ref={box} class={isNear ? '' : 'later'} style={{height: isNear ? '' : height}}>
						{body}
					</div>
				</details>
			</div>
		),
		[id, file, body, box, isNear, isOpen, height, isReviewed, mark],
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

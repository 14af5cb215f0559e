import {useState} from 'preact/hooks';
import type {ChangedLine, FileChange} from '../answers.ts';
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

const wideScreen = matchMedia('(min-width: 1100px)');

type Commenting = {readonly add: (comment: Comment) => void; readonly canComment: boolean};

/** A diff with a list of its files, and each file unified or side by side. */
export const Diff = ({files, add, canComment}: {files: readonly FileChange[]} & Commenting) => {
	const [isSplit, split] = useState(wideScreen.matches);
	useKey(key => {
		const step = {'[': -1, '{': -1, ']': 1, '}': 1}[key] as 1 | -1 | undefined;
		return step !== undefined && scrollAmong(/[{}]/.test(key) ? '.file' : '.file .hunk', step);
	});
	return (
		<div class="diff">
			<div class="actions">
				<button type="button" aria-pressed={!isSplit} onClick={() => split(false)}>
					Unified
				</button>
				<button type="button" aria-pressed={isSplit} onClick={() => split(true)}>
					Side by side
				</button>
			</div>
			<ul class="files">
				{files.map((file, index) => (
					<li key={file.path}>
						<button
							type="button"
							class="plain"
							data-row
							onClick={() => document.getElementById(`file-${index}`)?.scrollIntoView()}
						>
							{safePath(file.path)} <span class="added">+{file.added}</span>{' '}
							<span class="removed">−{file.removed}</span>
						</button>
					</li>
				))}
			</ul>
			{files.map((file, index) => (
				<details key={file.path} id={`file-${index}`} class="file" open={file.lines.length < 2000}>
					<summary>
						{safePath(file.path)} <span class="added">+{file.added}</span>{' '}
						<span class="removed">−{file.removed}</span>
					</summary>
					<div class="scroll">
						{isSplit ? (
							<Split file={file} add={add} canComment={canComment} />
						) : (
							<Unified file={file} add={add} canComment={canComment} />
						)}
					</div>
				</details>
			))}
		</div>
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

/** A line number. Clicking it starts a comment on the line. */
const Number_ = ({
	file,
	line,
	side,
	add,
	canComment,
}: {file: FileChange; line: ChangedLine | undefined; side: 'old' | 'new'} & Commenting) => {
	const number = side === 'old' ? line?.old : line?.new;
	if (line === undefined || number === undefined) return <td class="number" />;
	const comment = (): void => {
		const text = prompt(`Comment on ${safePath(file.path)}:${number}`);
		if (text?.trim()) add({path: file.path, side, line: number, text: text.trim(), quote: line.text});
	};
	return (
		<td class="number">
			{canComment ? (
				<button type="button" class="plain" onClick={comment} aria-label={`Comment on line ${number}`}>
					{number}
				</button>
			) : (
				number
			)}
		</td>
	);
};

const Unified = ({file, ...commenting}: {file: FileChange} & Commenting) => (
	<table>
		<tbody>
			{file.lines.map((line, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
				<tr key={index} class={line.kind}>
					{line.kind === 'hunk' ? (
						<td colSpan={3}>{safe(line.text)}</td>
					) : (
						<>
							<Number_ file={file} line={line} side="old" {...commenting} />
							<Number_ file={file} line={line} side="new" {...commenting} />
							<td class="code">
								<Code line={line} />
							</td>
						</>
					)}
				</tr>
			))}
		</tbody>
	</table>
);

const Split = ({file, ...commenting}: {file: FileChange} & Commenting) => (
	<table class="split">
		<tbody>
			{pairsOf(file.lines).map(([old, now], index) =>
				old?.kind === 'hunk' ? (
					// biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
					<tr key={index} class="hunk">
						<td colSpan={4}>{safe(old.text)}</td>
					</tr>
				) : (
					// biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
					<tr key={index}>
						<Number_ file={file} line={old} side="old" {...commenting} />
						<td class={`code ${old?.kind ?? 'none'}`}>
							<Code line={old} />
						</td>
						<Number_ file={file} line={now} side="new" {...commenting} />
						<td class={`code ${now?.kind ?? 'none'}`}>
							<Code line={now} />
						</td>
					</tr>
				),
			)}
		</tbody>
	</table>
);

import {useEffect, useRef, useState} from 'preact/hooks';
import {useDraft} from './drafts.ts';
import {type AskedChange, type AskedLine, Origin} from './line-origin.tsx';
import {safe, safePath} from './safe.tsx';

/** A person's comment on a line. */
export type Comment = {
	readonly path: string;
	readonly side: 'old' | 'new';
	readonly line: number;
	readonly text: string;
	readonly quote: string;
};

/** The comments on one file, and the functions that change them. */
export type Talk = {
	readonly own: readonly Comment[];
	/** The line that has the editor, as `side line path`. Empty for none. */
	readonly edited: string;
	readonly close: () => void;
	readonly add: (comment: Comment) => void;
	readonly remove: (comment: Comment) => void;
	readonly draft: string;
	readonly canComment: boolean;
	/** Absent where the origin of lines cannot be asked for. */
	readonly asks?: AskedChange;
};

/** Names a line of a file, as `side line path`. */
export const keyOfLine = ({path, side, line}: Pick<Comment, 'path' | 'side' | 'line'>): string =>
	`${side} ${line} ${path}`;

/** The comments on a line, and the editor of another one. */
export const Talks = ({
	place,
	comments,
	asked,
	talk,
	span,
}: {
	place: Omit<Comment, 'text'>;
	asked: AskedLine;
	comments: readonly Comment[];
	talk: Talk;
	span: number;
}) => (
	<tr class="talk">
		<td colSpan={span}>
			{comments.map(comment => (
				<CommentView key={comment.text} comment={comment} remove={talk.remove} />
			))}
			{talk.edited === keyOfLine(place) ? (
				talk.canComment ? (
					<Editor place={place} asked={asked} talk={talk} />
				) : (
					<Told asked={asked} talk={talk} />
				)
			) : null}
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

/** Who wrote a line, where a person cannot comment on it. */
const Told = ({asked, talk: {asks, close}}: {asked: AskedLine; talk: Talk}) => (
	<>
		{asks === undefined ? null : <Origin asked={asked} change={asks} />}
		<div class="actions">
			<button type="button" onClick={close}>
				Close
			</button>
		</div>
	</>
);

const Editor = ({place, asked, talk}: {place: Omit<Comment, 'text'>; asked: AskedLine; talk: Talk}) => {
	const [isAsking, ask] = useState(false);
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
				{talk.asks === undefined || isAsking ? null : (
					<button type="button" onClick={() => ask(true)}>
						Who wrote it
					</button>
				)}
				<button type="button" onClick={() => talk.close()}>
					{text === '' ? 'Close' : 'Keep for later'}
				</button>
			</div>
			{isAsking && talk.asks !== undefined ? <Origin asked={asked} change={talk.asks} /> : null}
		</form>
	);
};

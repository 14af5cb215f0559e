import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {pathTo, read} from './api.ts';
import {safe} from './safe.tsx';

/** Poll interval in milliseconds for the log of a live run. */
const pollIntervalMs = 1500;

/** Lines of one text node. Only the last one changes when lines are added. */
const chunkLines = 200;

/** Max lines that are kept. */
const maxLines = 20_000;

type Shown = {readonly from: number; readonly lines: readonly string[]; readonly isCut: boolean};

/** Replaces what comes again, and adds what is new. */
const withNew = ({from, lines, isCut}: Shown, answer: Shown): Shown => {
	const isGap = answer.from > from + lines.length;
	const all = isGap ? answer.lines : [...lines.slice(0, Math.max(0, answer.from - from)), ...answer.lines];
	const first = isGap ? answer.from : Math.min(from, answer.from);
	const dropped = Math.max(0, all.length - maxLines);
	return {
		from: first + dropped,
		lines: dropped === 0 ? all : all.slice(dropped),
		isCut: isCut || answer.isCut || dropped > 0,
	};
};

/**
 * Returns the log of a run. While the run is live it asks for what is new. Undefined until the first answer.
 */
const useLog = (
	{traceId, agentId}: {readonly traceId: string; readonly agentId: string},
	stream: 'stdout' | 'stderr',
	isLive: boolean,
): Shown | undefined => {
	const [shown, show] = useState<Shown>();
	const cursor = useRef(0);
	useEffect(() => {
		let isOver = false;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const load = async (): Promise<void> => {
			const after = String(cursor.current);
			const answer = await read(
				pathTo('/api/runs/:traceId/:agentId/log', {traceId, agentId}, {stream, after}),
			);
			if (isOver) return;
			if (answer.ok) {
				const {nextCursor, from, isCut, lines} = answer.value;
				cursor.current = nextCursor;
				const texts = lines.map(({text}) => safe(text.replace(/\n$/, '')));
				show(before => {
					const now = {from, isCut, lines: texts};
					return before === undefined ? now : isKnown(before, now) ? before : withNew(before, now);
				});
			}
			if (isLive || !answer.ok) timer = setTimeout(() => void load(), pollIntervalMs);
		};
		void load();
		return () => {
			isOver = true;
			clearTimeout(timer);
		};
	}, [traceId, agentId, stream, isLive]);
	return shown;
};

/** True if an answer has nothing new. */
const isKnown = (before: Shown, {from, lines}: Shown): boolean =>
	from + lines.length === before.from + before.lines.length &&
	lines.every((line, index) => line === before.lines[from - before.from + index]);

/** Pixels from the end within which the log counts as read to its end. */
const endSlack = 40;

/** The output of a run. It follows new lines while it stands at its end, else it stays where it is. */
export const RunLog = ({
	names,
	stream,
	isLive,
}: {
	names: {readonly traceId: string; readonly agentId: string};
	stream: 'stdout' | 'stderr';
	isLive: boolean;
}) => {
	const log = useLog(names, stream, isLive);
	const box = useRef<HTMLPreElement>(null);
	const [isFollowing, follow] = useState(true);
	const toEnd = (): void => {
		if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
	};
	useLayoutEffect(() => {
		if (isLive && isFollowing) toEnd();
	}, [log, isLive, isFollowing]);
	const isAtEnd = ({scrollTop, clientHeight, scrollHeight}: HTMLElement): boolean =>
		scrollTop + clientHeight >= scrollHeight - endSlack;
	const chunks: {readonly at: number; readonly text: string}[] = [];
	for (let at = log?.from ?? 0; log !== undefined && at < log.from + log.lines.length; ) {
		const next = (Math.floor(at / chunkLines) + 1) * chunkLines;
		chunks.push({at, text: `${log.lines.slice(at - log.from, next - log.from).join('\n')}\n`});
		at = next;
	}
	return (
		<>
			<pre class="log" ref={box} tabIndex={0} onScroll={event => follow(isAtEnd(event.currentTarget))}>
				{log?.isCut ? '… the beginning is left out …\n' : ''}
				{chunks.map(({at, text}) => (
					<span key={at}>{text}</span>
				))}
				{log?.lines.length === 0 ? 'It has written nothing.' : ''}
			</pre>
			{isLive && !isFollowing ? (
				<button
					type="button"
					onClick={() => {
						follow(true);
						toEnd();
					}}
				>
					Follow the end
				</button>
			) : null}
		</>
	);
};

import {escapeHidden} from '../../domain/escape-hidden.ts';
import {sanitizeForBrowser} from '../../domain/sanitize.ts';
import {statusWords} from '../../domain/status-words.ts';
import {outcomeLabel} from '../../domain/wait-labels.ts';
import type {Problem} from './api.ts';
import {keyOf} from './keys.ts';
import {linkTo} from './route.ts';

/**
 * Sanitizes text of agents and files. All such text enters the page here, so nothing in it can reorder, hide
 * or drive what is read.
 */
export const safe = (text: string): string => sanitizeForBrowser(text);

/** A path with every character visible. Lines of code are made visible by the server. */
export const safePath = (path: string): string => safe(escapeHidden(path));

const glyphs: Readonly<Record<string, string>> = {
	running: '●',
	working: '●',
	waiting: '◆',
	idle: '○',
	starting: '○',
	verifying: '●',
	'guard running': '●',
	landing: '◐',
	'at the forge': '◐',
	ready: '◐',
	planned: '○',
	requested: '○',
	waiting_review: '◆',
	'asks you': '◆',
	'changed nothing': '◆',
	asked: '?',
	'no change': '◆',
	invited: '◆',
	completed: '✓',
	failed: '✗',
	blocked: '■',
	paused: '‖',
	cancelled: '–',
	killed: '–',
};

/** A state as a glyph and a word. The colour only repeats it. */
export const State = ({of}: {of: string}) => (
	<span class={`state s-${of.replace(/\W/g, '-')}`}>
		<span aria-hidden="true">{glyphs[of] ?? '·'}</span> {statusWords(of)}
	</span>
);

/** The branch that a trace lands on, if a person named one. */
export const Into = ({base}: {base: {readonly branch: string} | undefined}) =>
	base === undefined ? null : <span>into {safe(base.branch)}</span>;

/** The state of a run. A question, or no change, is shown instead of "completed". */
export const stateOfRun = ({
	status,
	noChange,
	questions,
}: {
	readonly status: string;
	readonly noChange: string;
	readonly questions: readonly {readonly answer: string}[];
}): string =>
	status === 'completed'
		? outcomeLabel({noChange, isAsking: questions.some(({answer}) => answer === '')})
		: status;

const units: readonly (readonly [number, string])[] = [
	[86_400, 'd'],
	[3600, 'h'],
	[60, 'min'],
	[1, 's'],
];

/** The age of a time, with the time itself as a tooltip. */
export const Ago = ({at}: {at: string}) => {
	const seconds = Math.max(0, (Date.now() - Date.parse(at)) / 1000);
	const [size, unit] = units.find(([one]) => seconds >= one) ?? [1, 's'];
	return (
		<time dateTime={at} title={new Date(at).toLocaleString()}>
			{Math.floor(seconds / size)} {unit}
		</time>
	);
};

export const Honey = ({left, budget, low}: {left: number; budget: number; low: boolean}) => (
	<span class={low ? 'honey low' : 'honey'} title={`${left} of ${budget} honey left`}>
		<meter min={0} max={Math.max(budget, left, 1)} value={left} aria-hidden="true" /> {left}/{budget} honey
		{low ? ' low' : ''}
	</span>
);

/** Shown while the first answer is awaited, once that takes noticeably long. */
export const Reading = () => (
	<p class="empty reading" role="status">
		Reading…
	</p>
);

export const Empty = ({children}: {children: string}) => <p class="empty">{children}</p>;

/** Says why a screen cannot be shown, with the next step and a way back. */
export const Gone = ({problem: {detail, hint}}: {problem: Problem}) => (
	<div class="empty">
		<p class="problem">{safe(detail)}</p>
		{hint === '' ? null : <p>{safe(hint)}</p>}
		<p>
			<a class="button" href={linkTo('inbox')}>
				What needs you
			</a>{' '}
			<a class="button" href={linkTo('traces')}>
				All traces
			</a>
		</p>
	</div>
);

/** The key of an action for sighted users. The button's `aria-keyshortcuts` has it for others. */
export const Key = ({of}: {of: string}) => {
	const key = keyOf(of);
	return key === undefined ? null : (
		<span aria-hidden="true">
			<kbd>{key}</kbd>
		</span>
	);
};

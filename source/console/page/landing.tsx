import {verifierRole} from '../../domain/evidence.ts';
import {failingLines} from '../../host/views/failing-lines.ts';
import type {LandingFacts} from '../../host/views/landing.ts';
import type {ShownEvent} from '../answers.ts';
import {pathTo} from './api.ts';
import {useView} from './live.ts';
import {linkTo} from './route.ts';
import {Ago, safe} from './safe.tsx';

type Check = NonNullable<NonNullable<LandingFacts['left']>['check']>;
type Unchecked = LandingFacts['unchecked'][number];

/** The face that an approval came from, as the log names it. */
const faces: Readonly<Record<string, string>> = {
	cli: 'the command line',
	console: 'the console',
	chat: 'a chat',
};

/** A landing in one line for lists; undefined if there is nothing to say. */
export const landingNote = ({queued, left}: LandingFacts): string | undefined => {
	if (queued !== null) return `Landing: ${queued.text}`;
	return left === null ? undefined : `It did not land. ${left.reason}`;
};

/** The landings of a trace: its place in the queue, why it is back, and what was merged without checks. */
export const Landing = ({traceId, landing}: {traceId: string; landing: LandingFacts}) => {
	const {queued, left, unchecked} = landing;
	return (
		<>
			{queued === null ? null : (
				<p>
					<span class="landing">{safe(`Landing: ${queued.text}`)}</span>{' '}
					<small>
						approved by {safe(faces[queued.by] ?? queued.by)} <Ago at={queued.since} /> ago
					</small>
				</p>
			)}
			{left === null ? null : (
				<section class="card" aria-label="It did not land">
					<p class={left.check === null ? 'note' : 'problem'}>It did not land. {safe(left.reason)}</p>
					{left.check === null ? null : <FailedCheck {...left.check} />}
				</section>
			)}
			{unchecked.length === 0 ? null : <WithoutChecks traceId={traceId} merges={unchecked} />}
		</>
	);
};

/** Number of lines of an output that are shown before it is unfolded. */
const shownLines = 5;

/** What a failed check printed: the lines that name failures, and all of it once it is opened. */
const FailedCheck = ({traceId, agentId}: Check) => {
	const {value} = useView(pathTo('/api/events', {}, {traceId, bee: verifierRole, kind: 'run.finished'}));
	const output = outputIn(value?.items.find(({payload}) => payload.agentId === agentId)?.payload);
	const lines = failingLines(output, shownLines);
	return (
		<>
			{lines.length === 0 ? null : <pre>{safe(lines.join('\n'))}</pre>}
			{lines.join('\n') === output.trim() ? null : (
				<details>
					<summary>All that it printed</summary>
					<pre>{safe(output)}</pre>
				</details>
			)}
			<p>
				<a href={linkTo('runs', traceId, agentId)}>The run that checked it</a>
			</p>
		</>
	);
};

/** The output of a check in the payload of its end; empty if there is none. */
const outputIn = (payload: ShownEvent['payload'] | undefined): string => {
	const {output}: {output?: unknown} = {...Object(payload?.evidence)};
	return typeof output === 'string' ? output : '';
};

/** Merges that skipped required checks, with who, when and why. When and on which device is in the log. */
const WithoutChecks = ({traceId, merges}: {traceId: string; merges: readonly Unchecked[]}) => {
	const {value} = useView(pathTo('/api/events', {}, {traceId, kind: 'merge.started'}));
	return (
		<>
			{merges.map(({tree, commit, base, by, reason}) => {
				const event = value?.items.find(({payload}) => payload.tree === tree);
				const device = event?.payload.device;
				return (
					<p key={commit} class="warn">
						Merged into {safe(base)} without checks by {safe(faces[by] ?? by)}
						{typeof device === 'string' && device !== '' ? safe(` (${device})`) : ''}
						{safe(reasonText(reason))} {event === undefined ? null : <Ago at={event.at} />}
					</p>
				);
			})}
		</>
	);
};

const reasonText = (reason: string): string => (reason === '' ? ', no reason given' : `: “${reason}”`);

/** A merge without checks in one line for lists. */
export const uncheckedNote = ({base, by, reason}: Unchecked): string =>
	`Merged into ${base} without checks by ${faces[by] ?? by}${reasonText(reason)}`;

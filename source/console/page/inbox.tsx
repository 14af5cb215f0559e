import {formatCount} from '../../domain/format-count.ts';
import type {Judgement} from '../../host/views/format-judgement.ts';
import {pathTo} from './api.ts';
import {useDraft} from './drafts.ts';
import {EntryActions, type InboxEntry} from './entry.tsx';
import type {Comment} from './line-comments.tsx';
import {useView} from './live.ts';
import {linkTo} from './route.ts';
import {Ago, Empty, Reading, safe} from './safe.tsx';

/** Headings of the kinds, in words. */
const headings: Readonly<Record<InboxEntry['kind'], string>> = {
	invite: 'Bees that want to talk with you',
	question: 'Questions',
	session: 'Sessions that wait for you',
	conflict: 'Conflicts with the base',
	plan: 'Plans that wait for you',
	review: 'Reviews',
	no_change: 'Changed nothing',
	failed: 'Failed',
	blocked: 'Blocked',
	configuration: 'Configuration',
	paused: 'Paused',
};

/** Everything that needs a person, by kind. The server sends the most pressing kind first. */
export const Inbox = () => {
	const {value} = useView(pathTo('/api/inbox'));
	if (value === undefined) return <Reading />;
	if (value.items.length === 0) return <Empty>Nothing needs you.</Empty>;
	const kinds = [...new Set(value.items.map(({kind}) => kind))];
	return (
		<>
			{kinds.map(kind => {
				const entries = value.items.filter(entry => entry.kind === kind);
				return (
					<section key={kind} class={`group k-${kind}`} aria-label={headings[kind]}>
						<h3>
							{headings[kind]} <span class="facts">{entries.length}</span>
						</h3>
						<ul class="rows">
							{entries.map(entry => (
								<Row key={entry.key} entry={entry} />
							))}
						</ul>
					</section>
				);
			})}
		</>
	);
};

const Row = ({entry}: {entry: InboxEntry}) => {
	const {kind, title, sentence, judgement, since, traceId, taskId, lastRows = []} = entry;
	return (
		<li class="entry">
			<a data-row class="row" href={targetOf(entry)}>
				<span class="grow">
					<b>{safe(title)}</b>
					<small title={safe(sentence)}>{safe(sentence)}</small>
					{lastRows.length === 0 ? null : (
						<small class="screen-rows">{lastRows.map(row => `${safe(row)}\n`)}</small>
					)}
				</span>
				<span class="facts">
					{judgement === undefined ? null : <Findings of={judgement} />}
					{kind === 'review' ? <Comments of={`${traceId}/${taskId}`} /> : null}
					{since === undefined ? null : <Ago at={since} />}
				</span>
			</a>
			{kind === 'review' || kind === 'plan' ? (
				<div class="actions">
					<a
						class="button"
						href={targetOf(entry)}
						aria-label={`${kind === 'plan' ? 'Look at the plan of' : 'Review'} ${safe(title)}`}
					>
						{kind === 'plan' ? 'Look at it' : 'Review'}
					</a>
				</div>
			) : (
				<EntryActions entry={entry} keys="focused" />
			)}
		</li>
	);
};

/** What speaks against a review. */
const Findings = ({of: {failed, refuted, unverified}}: {of: Judgement}) => (
	<>
		{refuted.length === 0 ? null : <span class="t-bad">✗ {formatCount(refuted.length, 'check')} failed</span>}
		{failed.length === 0 ? null : (
			<span class="t-bad">✗ {formatCount(failed.length, 'guard')} against it</span>
		)}
		{unverified.length === 0 ? null : <span class="warn">! not checked</span>}
	</>
);

const noComments: readonly Comment[] = [];

/** The number of comments on lines that are not sent yet. */
const Comments = ({of: review}: {of: string}) => {
	const [{length}] = useDraft(`comments ${review}`, noComments);
	return length === 0 ? null : <span>{length === 1 ? '1 comment' : `${length} comments`}</span>;
};

const targetOf = ({kind, traceId, taskId, agentId}: InboxEntry): string => {
	if (kind === 'session' && agentId !== undefined) return linkTo('sessions', agentId);
	if (traceId === undefined) return linkTo('inbox');
	if (taskId === undefined) return linkTo('traces', traceId);
	return linkTo(kind === 'review' || kind === 'conflict' ? 'reviews' : 'traces', traceId, taskId);
};

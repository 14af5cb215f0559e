import {truncate} from '../../domain/truncate.ts';
import {formatDollars} from '../../host/views/format-reserve.ts';
import {beeName} from '../../host/views/name.ts';
import type {Answers} from '../answers.ts';
import {Actions, useShared} from './actions.tsx';
import {pathTo} from './api.ts';
import {AcceptConfiguration} from './configuration.tsx';
import {useDraft} from './drafts.ts';
import {landingNote, uncheckedNote} from './landing.tsx';
import {useView} from './live.ts';
import {Reactor} from './reactor.tsx';
import {go, linkTo} from './route.ts';
import {Ago, Empty, Honey, Into, Reading, State, safe, stateOfRun} from './safe.tsx';

/** A field that filters a list. A short list has none. */
const Filter = ({
	of,
	filter,
	set,
	count,
}: {
	of: string;
	filter: string;
	set: (filter: string | undefined) => void;
	count: number;
}) =>
	count > 8 || filter !== '' ? (
		<input
			type="search"
			class="filter"
			aria-label={`Filter ${of}`}
			placeholder="Filter"
			value={filter}
			onInput={event => set(event.currentTarget.value || undefined)}
		/>
	) : null;

export const Traces = () => {
	const {value} = useView(pathTo('/api/traces'));
	const [filter, set] = useDraft('filter of traces', '');
	if (value === undefined) return <Reading />;
	if (value.items.length === 0) return <Empty>No traces yet. Ask for something with “Start work”.</Empty>;
	const found = value.items.filter(({name, state, traceId, note}) =>
		`${name} ${state} ${traceId} ${note}`.toLowerCase().includes(filter.toLowerCase()),
	);
	return (
		<>
			<Filter of="the traces" filter={filter} set={set} count={value.items.length} />
			{found.length === 0 ? <Empty>No trace has these words.</Empty> : null}
			<ul class="rows">
				{found.map(trace => (
					<li key={trace.traceId} class="with-act">
						<a data-row class="row" href={linkTo('traces', trace.traceId)}>
							<State of={trace.state} />
							<span class="grow">
								<b>{safe(trace.name)}</b>
								{trace.note === '' ? null : <small>{safe(trace.note)}</small>}
								<LandingNotes landing={trace.landing} />
							</span>
							<span class="facts">
								<span>
									{trace.work.done}/{trace.work.total} done
								</span>
								<Into base={trace.base} />
								<Honey left={trace.energyRemaining} budget={trace.energyBudget} low={trace.lowEnergy} />
								{trace.spent.cost > 0 ? <span>{formatDollars(trace.spent.cost)}</span> : null}
								<Ago at={trace.updatedAt} />
							</span>
						</a>
						{trace.reviewTaskId === '' ? null : (
							<a
								class="button act"
								href={linkTo('reviews', trace.traceId, trace.reviewTaskId)}
								aria-label={`Review ${safe(trace.name)}`}
							>
								Review
							</a>
						)}
					</li>
				))}
			</ul>
		</>
	);
};

const LandingNotes = ({landing}: Pick<Answers['/api/traces']['items'][number], 'landing'>) => {
	const note = landingNote(landing);
	return (
		<>
			{note === undefined ? null : <small>{safe(note)}</small>}
			{landing.unchecked.map(merge => (
				<small key={merge.commit} class="warn">
					{safe(uncheckedNote(merge))}
				</small>
			))}
		</>
	);
};

/** The runs that are open now, with their current step and their cost. */
export const Bees = () => {
	const {colony} = useShared();
	const {value} = useView(pathTo('/api/agents'), 5000);
	if (value === undefined) return <Reading />;
	return (
		<>
			<Working items={value.items} />
			{colony.reactor === 'here' ? <Reactor /> : null}
		</>
	);
};

const Working = ({items}: Answers['/api/agents']) =>
	items.length === 0 ? (
		<Empty>No bee is at work.</Empty>
	) : (
		<ul class="rows">
			{items.map(run => (
				<li key={run.agentId}>
					<a
						data-row
						class="row"
						href={
							run.kind === 'session'
								? linkTo('sessions', run.agentId)
								: linkTo('runs', run.traceId, run.agentId)
						}
					>
						<State of={stateOfRun(run)} />
						<span class="grow">
							<b>{beeName(run.bee)}</b> {safe(run.title)}
							<small>{safe(run.doing) || 'has said nothing yet'}</small>
						</span>
						<span class="facts">
							{run.kind === 'session' ? <span>session</span> : null}
							{run.used === '' ? null : <span>{run.used}</span>}
							<Ago at={run.startedAt} />
						</span>
					</a>
				</li>
			))}
		</ul>
	);

export const Invites = () => {
	const {value} = useView(pathTo('/api/invites'));
	if (value === undefined) return <Reading />;
	if (value.items.length === 0) return <Empty>No invite waits for you.</Empty>;
	return (
		<ul class="rows">
			{value.items.map(({inviteId, traceId, bee, task, status, createdAt, offers}) => (
				<li key={inviteId} class="card">
					<a data-row href={linkTo('traces', traceId)}>
						<State of={status === 'pending' ? 'invited' : status} /> <b>{bee}</b> <Ago at={createdAt} />
					</a>
					<p>{safe(task)}</p>
					<Actions offers={offers} names={{inviteId, traceId}} keys="focused" />
				</li>
			))}
		</ul>
	);
};

export const Events = ({traceId}: {traceId?: string}) => {
	const {value} = useView(pathTo('/api/events', {}, {limit: '100', ...(traceId && {traceId})}));
	const [filter, set] = useDraft('filter of events', '');
	if (value === undefined) return <Reading />;
	if (value.items.length === 0) return <Empty>Nothing has happened yet.</Empty>;
	const found = value.items.filter(item => JSON.stringify(item).toLowerCase().includes(filter.toLowerCase()));
	return (
		<div class="scroll">
			<Filter of="the events" filter={filter} set={set} count={value.items.length} />
			<table class="events">
				<thead>
					<tr>
						<th>When</th>
						<th>Kind</th>
						<th>By</th>
						<th>What</th>
					</tr>
				</thead>
				<tbody>
					{found.map(({sequence, at, traceId: trace, agentId, payload, view}) => (
						<tr key={sequence} data-row tabIndex={0} onClick={() => go('traces', trace)}>
							<td>
								<Ago at={at} />
							</td>
							<td>{safe(payload.kind)}</td>
							<td>{safe(agentId)}</td>
							<td>
								{truncate(
									safe([view.taskId, view.status, view.change, view.text].filter(Boolean).join(' ')),
									300,
								)}
							</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
};

/** The problems of the colony, shown above every screen. */
export const Problems = () => {
	const {colony} = useShared();
	const {reactor, bus, problems} = colony;
	const sentences = [
		...(bus.state === 'live' ? [] : [`The log cannot be reached. ${bus.reason ?? ''}`]),
		...problems,
	];
	if (sentences.length === 0 && reactor === 'starting') return <p role="status">The reactor is starting.</p>;
	return sentences.length === 0 && reactor !== 'none' ? null : (
		<ul class="problems" role="alert">
			{sentences.map(words => (
				<li key={words}>{safe(words)}</li>
			))}
			{reactor === 'none' ? (
				<li>
					No reactor is alive: nothing is started. <Reactor />
				</li>
			) : null}
			{colony.awaiting.length > 0 ? (
				<li>
					<AcceptConfiguration hasKey />
				</li>
			) : null}
		</ul>
	);
};

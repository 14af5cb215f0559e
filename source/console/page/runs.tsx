import {containmentLabel} from '../../domain/containment.ts';
import {formatCount} from '../../domain/format-count.ts';
import {beeName} from '../../host/views/name.ts';
import type {NamedRun, Run} from '../answers.ts';
import {pathTo} from './api.ts';
import {useDraft} from './drafts.ts';
import {useView} from './live.ts';
import {linkTo} from './route.ts';
import {Ago, Empty, Reading, State, safe, stateOfRun} from './safe.tsx';

type Row = Run & Pick<NamedRun, 'title'> & Partial<Pick<NamedRun, 'traceTitle'>>;

/** Runs, the newest first. */
export const Runs = ({runs}: {runs: readonly Row[]}) =>
	runs.length === 0 ? (
		<Empty>No bee has run.</Empty>
	) : (
		<ul class="rows">
			{runs.toReversed().map(run => (
				<li key={run.agentId}>
					<a data-row class="row" href={linkTo('runs', run.traceId, run.agentId)}>
						<State of={stateOfRun(run)} />
						<span class="grow">
							<b>{safe(run.title) || beeName(run.bee)}</b>{' '}
							{containmentLabel(run) === '' ? null : <span class="warn">{containmentLabel(run)} </span>}
							{run.warnings.length > 0 ? (
								<span class="warn">! {formatCount(run.warnings.length, 'warning')}</span>
							) : null}
							{run.traceTitle === undefined || run.traceTitle === run.title ? null : (
								<small>{safe(run.traceTitle)}</small>
							)}
						</span>
						<span class="facts">
							{run.title === '' ? null : <span>{beeName(run.bee)}</span>}
							<Ago at={run.startedAt} />
						</span>
					</a>
				</li>
			))}
		</ul>
	);

/** The runs of all traces, with a filter by state and by bee. */
export const AllRuns = () => {
	const {value} = useView(pathTo('/api/runs', {}, {limit: '100'}));
	const [state, chooseState] = useDraft('state of runs', '');
	const [bee, chooseBee] = useDraft('bee of runs', '');
	if (value === undefined) return <Reading />;
	const found = value.items.filter(
		run => (state === '' || stateOfRun(run) === state) && (bee === '' || run.bee === bee),
	);
	return (
		<>
			<div class="line">
				<Choice label="State" value={state} set={chooseState} all={value.items.map(stateOfRun)} />
				<Choice
					label="Bee"
					value={bee}
					set={chooseBee}
					all={value.items.map(run => run.bee)}
					nameOf={beeName}
				/>
			</div>
			{found.length === 0 && value.items.length > 0 ? (
				<Empty>No run is like that.</Empty>
			) : (
				<Runs runs={found.toReversed()} />
			)}
		</>
	);
};

/** Selects one of the values that occur, or all. */
const Choice = ({
	label,
	value,
	set,
	all,
	nameOf = one => one,
}: {
	label: string;
	value: string;
	set: (value: string | undefined) => void;
	all: readonly string[];
	nameOf?: (value: string) => string;
}) => (
	<label class="choice">
		<span>{label}</span>
		<select onChange={event => set(event.currentTarget.value || undefined)}>
			<option value="">all</option>
			{[...new Set([...all, ...(value === '' ? [] : [value])])].toSorted().map(one => (
				<option key={one} value={one} selected={one === value}>
					{nameOf(one)}
				</option>
			))}
		</select>
	</label>
);

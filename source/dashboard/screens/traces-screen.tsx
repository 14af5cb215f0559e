import {LastLogLine} from '../components/last-log-line.tsx';
import {useSelector} from '../hooks/use-selector.ts';
import {LogPane} from '../panes/log-pane.tsx';
import {RunsPane} from '../panes/runs-pane.tsx';
import {SheetPane} from '../panes/sheet-pane.tsx';
import {TasksPane} from '../panes/tasks-pane.tsx';
import {TracesPane} from '../panes/traces-pane.tsx';
import {layoutOf} from '../store/layout.ts';
import {Bands} from './bands.tsx';

const panes = {traces: TracesPane, tasks: TasksPane, runs: RunsPane, log: LogPane, sheet: SheetPane};

/** The traces with their state and cost. */
export const TracesScreen = () => {
	const {logLine} = useSelector(layoutOf);
	return (
		<>
			<Bands panes={panes} />
			{logLine ? <LastLogLine /> : null}
		</>
	);
};

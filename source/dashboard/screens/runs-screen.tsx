import {AllRunsPane} from '../panes/all-runs-pane.tsx';
import {LogPane} from '../panes/log-pane.tsx';
import {Bands} from './bands.tsx';

const panes = {allRuns: AllRunsPane, log: LogPane};

/** Runs of all traces, with the log of the selected one. */
export const RunsScreen = () => <Bands panes={panes} />;

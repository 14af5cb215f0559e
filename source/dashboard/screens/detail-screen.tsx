import {DetailTabs} from '../components/detail-tabs.tsx';
import {DetailPane} from '../panes/detail-pane.tsx';
import {LogPane} from '../panes/log-pane.tsx';
import {Bands} from './bands.tsx';

const panes = {detail: DetailPane, log: LogPane};

/** All details of one task, run or trace, in tabs. */
export const DetailScreen = () => (
	<>
		<DetailTabs />
		<Bands panes={panes} />
	</>
);

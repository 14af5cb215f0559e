import {DiffPane} from '../panes/diff-pane.tsx';
import {QueuePane} from '../panes/queue-pane.tsx';
import {Bands} from './bands.tsx';

const panes = {queue: QueuePane, diff: DiffPane};

/** The causes that need a person, and the change that an approval would merge. */
export const ReviewScreen = () => <Bands panes={panes} />;

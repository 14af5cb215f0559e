import {DiffPane} from '../panes/diff-pane.tsx';
import {QueuePane} from '../panes/queue-pane.tsx';
import {Bands} from './bands.tsx';

const panes = {queue: QueuePane, diff: DiffPane};

/** What waits for a person, and what approving it would bring. */
export const ReviewScreen = () => <Bands panes={panes} />;

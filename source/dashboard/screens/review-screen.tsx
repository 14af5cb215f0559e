import {DiffPane} from '../panes/diff-pane.tsx';
import {QueuePane} from '../panes/queue-pane.tsx';
import {SheetPane} from '../panes/sheet-pane.tsx';
import {Bands} from './bands.tsx';

const panes = {queue: QueuePane, sheet: SheetPane, diff: DiffPane};

/** The causes that need a person, the sheet of the selected review, and the change that would be merged. */
export const ReviewScreen = () => <Bands panes={panes} />;

import {LivePane} from '../panes/diff-pane.tsx';
import {Bands} from './bands.tsx';

const panes = {diff: LivePane};

/** The change in the worktree of running or waiting work. */
export const LiveScreen = () => <Bands panes={panes} />;

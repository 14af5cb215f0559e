import {LogPane} from '../panes/log-pane.tsx';
import {SessionsPane} from '../panes/sessions-pane.tsx';
import {Bands} from './bands.tsx';

const panes = {sessions: SessionsPane, log: LogPane};

/** Sessions of this checkout, with the screen of the selected one. */
export const SessionsScreen = () => <Bands panes={panes} />;

import {EventsPane} from '../panes/events-pane.tsx';
import {Bands} from './bands.tsx';

const panes = {events: EventsPane};

/** The event log. */
export const EventsScreen = () => <Bands panes={panes} />;

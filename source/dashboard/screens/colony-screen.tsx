import {ColonyPane} from '../panes/colony-pane.tsx';
import {Bands} from './bands.tsx';

const panes = {colony: ColonyPane};

/** The colony as it is configured. */
export const ColonyScreen = () => <Bands panes={panes} />;

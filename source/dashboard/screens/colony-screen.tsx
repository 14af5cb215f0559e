import {ColonyPane} from '../panes/colony-pane.tsx';
import {Bands} from './bands.tsx';

const panes = {colony: ColonyPane};

/** The colony's configuration. */
export const ColonyScreen = () => <Bands panes={panes} />;

// biome-ignore-all lint/performance/noBarrelFile: the entry of a bundle of its own, which shares values with its caller and no classes.
import type {Offer} from './offer-init.tsx';

export {openDashboard} from './open-dashboard.ts';

/** Asks whether to create a colony here. Loads Ink for this. */
export const offerInit = async (offer: Offer): Promise<boolean> =>
	(await import('./offer-init.tsx')).offerInit(offer);

import type {ContainMode, Profile} from '../domain/containment.ts';
import type {CanContain} from '../ports/containment.ts';

/** The containment of a bee's runs. */
export type ContainmentShown = {
	readonly bee: string;
	readonly mode: ContainMode;
	/** Whether this machine can contain programs. */
	readonly can: CanContain;
	/** What a contained run can reach. TRACE and RUN stand for its ids. With the mode `off` it is not used. */
	readonly profile: Profile;
	/** The home and the checkout, to which words for people shorten paths. */
	readonly home: string;
	readonly root: string;
};

/** A command that ran in the containment of a bee. */
export type ContainmentTried = {
	readonly bee: string;
	readonly mode: ContainMode;
	readonly exitCode: number;
	/** True if it worked in the checkout itself, as the bee's runs do. */
	readonly inCheckout: boolean;
};

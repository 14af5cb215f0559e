import type {ForgeSettings} from '../../colony/forge.ts';
import type {ForgeAccess, ForgeLimit, ForgeTrouble} from '../../ports/forge.ts';

/** What a forge says to this machine's token. */
export type ForgeState =
	| {readonly state: 'no_token'}
	| {readonly state: 'failed'; readonly trouble: ForgeTrouble; readonly message: string}
	| {readonly state: 'well'; readonly access: ForgeAccess; readonly limit: ForgeLimit | undefined};

/**
 * Asks the forge within some seconds what the token of this machine may do.
 *
 * @param folder the machine-local directory of this checkout
 */
export type TryForge = (settings: ForgeSettings, folder: string) => Promise<ForgeState>;

/** The forge of the colony, as it is from this machine. */
export type SurveyedForge = {
	readonly settings: ForgeSettings;
	/** Address that its remote is pushed to; empty if there is no such remote. */
	readonly address: string;
	/** Absent if no person has accepted the forge: it gets no token then. */
	readonly answer: ForgeState | undefined;
	/** True if the variable of its webhook's secret is set, or none is named. */
	readonly hasWebhookSecret: boolean;
};

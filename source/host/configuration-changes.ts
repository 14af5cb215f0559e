import type {ActionContext} from '../actions/context.ts';
import {nameOf} from '../colony/configuration/read.ts';
import {digestOf} from '../colony/configuration/trust.ts';
import {textPatch} from '../review/text-patch.ts';

/** What of the configuration awaits a person, as faces show it. */
export type ConfigurationChanges = {
	/** Names all of it: what is accepted is what was shown under it. Empty where nothing awaits a person. */
	readonly seen: string;
	readonly changes: readonly {
		/** Root-relative. */
		readonly path: string;
		/** What was going on when it was written: `"Sort the list" was running`. */
		readonly by: string;
	}[];
	/** From what counts to what awaits, file by file, as git prints one. */
	readonly patch: string;
};

export const readConfigurationChanges = async ({
	configuration,
	colony: {root},
	redact = text => text,
}: Pick<ActionContext, 'configuration' | 'colony' | 'redact'>): Promise<ConfigurationChanges> => {
	const found = (await configuration?.changes()) ?? [];
	const changes = found.map(change => ({...change, path: nameOf(root, change.path)}));
	return {
		seen: found.length === 0 ? '' : digestOf(found),
		changes: changes.map(({path, by}) => ({path, by})),
		patch: redact(changes.map(textPatch).join('')),
	};
};

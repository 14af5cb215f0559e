import type {ActionContext} from '../actions/context.ts';
import {nameOf} from '../colony/configuration/read.ts';
import {digestOf} from '../colony/configuration/trust.ts';
import {textPatch} from '../review/text-patch.ts';

/** Configuration changes that await a person's approval, as faces show them. */
export type ConfigurationChanges = {
	/**
	 * Digest of all changes. Accepting it accepts exactly what was shown under it. Empty if nothing awaits a
	 * person's approval.
	 */
	readonly seen: string;
	readonly changes: readonly {
		/** Root-relative. */
		readonly path: string;
		/** What was going on when it was written: `"Sort the list" was running`. */
		readonly by: string;
	}[];
	/** Diff from the accepted files to the changed ones, file by file, in git's format. */
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

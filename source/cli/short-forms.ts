/** Commands with a one-word short form. Texts use their full names. */
export const shortForms: Readonly<Record<string, string>> = {
	approve: 'proposal approve',
	reject: 'proposal reject',
	diff: 'proposal diff',
};

/** Words that people try for a command and that do not resemble its name. */
export const commandSynonyms: Readonly<Record<string, string>> = {
	merge: 'proposal approve',
	review: 'proposal list',
	stop: 'kill',
};

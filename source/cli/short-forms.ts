/** Commands that are taken under one word too; what is said of them names them in full. */
export const shortForms: Readonly<Record<string, string>> = {
	approve: 'proposal approve',
	reject: 'proposal reject',
	diff: 'proposal diff',
};

/** What people type who look for that command, and letters do not tell. */
export const otherWords: Readonly<Record<string, string>> = {
	merge: 'proposal approve',
	review: 'proposal list',
	stop: 'kill',
};

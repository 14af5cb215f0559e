/**
 * Returns a status or a state as people read it in a sentence or on a screen. Scripts, JSON and the status
 * columns of commands have the status itself.
 */
export const statusWords = (status: string): string =>
	status === 'waiting_review' ? 'waiting for review' : status.replaceAll('_', ' ');

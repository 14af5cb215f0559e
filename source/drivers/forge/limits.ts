import {truncate} from '../../domain/truncate.ts';

/** Bytes of one answer. A page of 100 comments of GitHub is smaller, whatever was written into them. */
export const maxAnswerBytes = 64 * 1024 * 1024;
/** Comments of a request. The newest are kept. */
export const maxComments = 1000;
/** Checks of a commit. Failed ones are kept first, then pending ones. */
export const maxChecks = 200;
/** Issues with a label. */
export const maxIssues = 200;
/** Labels of an issue. */
export const maxLabels = 100;

const maxBodyLength = 64 * 1024;
const maxSummaryLength = 4000;
const maxTitleLength = 500;
const maxNameLength = 1000;
const maxUrlLength = 2000;

export const cutBody = (text: string): string => truncate(text, maxBodyLength);
export const cutSummary = (text: string): string => truncate(text, maxSummaryLength);
export const cutTitle = (text: string): string => truncate(text, maxTitleLength);
/** Cuts a login, a label, a name of a check or a line of code. */
export const cutName = (text: string): string => truncate(text, maxNameLength);

/** An address that a browser may open; empty for any other text. */
export const webAddress = (text: string | null | undefined): string =>
	text !== null && text !== undefined && text.length <= maxUrlLength && /^https?:\/\//.test(text) ? text : '';

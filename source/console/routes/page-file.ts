import type {Call} from '../call.ts';
import type {PageFile} from '../parts.ts';
import {hashTag} from '../tag.ts';

/** Sends a file of the page. Browsers may keep it, but revalidate it each time. */
export const sendPageFile = ({type, text}: PageFile) => {
	const headers = {'Content-Type': type, ETag: `"${hashTag(text)}"`, 'Cache-Control': 'no-cache'};
	return (call: Call): Response => call.body(text, 200, headers);
};

import * as z from 'zod/mini';
import type {ForgeRequest} from '../../../ports/forge.ts';
import {cutBody, cutName, cutTitle, webAddress} from '../limits.ts';
import {commitId, wholeNumber, words, wordsIfAny} from '../read-shape.ts';

/** A merge request, as GitLab has it. */
export const mergeRequest = z.object({
	...{id: wholeNumber, iid: wholeNumber, web_url: words, title: words, description: wordsIfAny},
	// It is locked while it is being merged.
	state: z.enum(['opened', 'closed', 'locked', 'merged']),
	draft: z.nullish(z.boolean()),
	...{source_branch: words, target_branch: words, sha: commitId},
	...{source_project_id: z.nullish(wholeNumber), target_project_id: wholeNumber},
	...{merge_commit_sha: z.nullish(commitId), squash_commit_sha: z.nullish(commitId)},
	reviewers: z.nullish(z.array(z.object({username: words}))),
});
export type MergeRequest = z.output<typeof mergeRequest>;

const states = {opened: 'open', locked: 'open', closed: 'closed', merged: 'merged'} as const;
const draftMark = /^(draft:|\[draft\]|\(draft\))\s*/i;

export const requestOf = (read: MergeRequest): ForgeRequest => {
	const isDraft = read.draft === true;
	return {
		number: read.iid,
		url: webAddress(read.web_url),
		state: states[read.state],
		isDraft,
		title: cutTitle(isDraft ? read.title.replace(draftMark, '') : read.title),
		body: cutBody(read.description),
		branch: cutName(read.source_branch),
		head: read.sha,
		base: cutName(read.target_branch),
		// A merge without a commit of its own moves the base to the branch.
		...(read.state === 'merged' && {mergedAs: read.merge_commit_sha ?? read.squash_commit_sha ?? read.sha}),
	};
};

/** The title that makes a request a draft, or keeps it one. */
export const titleOf = (title: string, isDraft: boolean): string => (isDraft ? `Draft: ${title}` : title);

/** True if its branch is in the repository itself, not in a fork. */
export const isOfRepository = (read: MergeRequest): boolean =>
	read.source_project_id === read.target_project_id;

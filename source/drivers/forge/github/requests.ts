import * as z from 'zod/mini';
import type {ForgeRequest} from '../../../ports/forge.ts';
import {cutBody, cutName, cutTitle, webAddress} from '../limits.ts';
import {commitId, wholeNumber, words, wordsIfAny} from '../read-shape.ts';

/** A pull request, as GitHub has it. */
export const pull = z.object({
	...{id: wholeNumber, number: wholeNumber, html_url: words, title: words, body: wordsIfAny},
	state: z.enum(['open', 'closed']),
	draft: z.nullish(z.boolean()),
	merged_at: z.nullish(words),
	merge_commit_sha: z.nullish(commitId),
	// A fork that was deleted is null.
	head: z.object({ref: words, sha: commitId, repo: z.nullish(z.object({id: wholeNumber}))}),
	base: z.object({ref: words, repo: z.object({id: wholeNumber})}),
});
export type Pull = z.output<typeof pull>;

export const requestOf = (pull: Pull): ForgeRequest => {
	const isMerged = typeof pull.merged_at === 'string';
	return {
		number: pull.number,
		url: webAddress(pull.html_url),
		state: isMerged ? 'merged' : pull.state,
		isDraft: pull.draft === true,
		title: cutTitle(pull.title),
		body: cutBody(pull.body),
		branch: cutName(pull.head.ref),
		head: pull.head.sha,
		base: cutName(pull.base.ref),
		...(isMerged && typeof pull.merge_commit_sha === 'string' && {mergedAs: pull.merge_commit_sha}),
	};
};

/** True if its branch is in the repository itself, not in a fork. */
export const isOfRepository = ({head, base}: Pull): boolean => head.repo?.id === base.repo.id;

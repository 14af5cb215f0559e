import {type Forge, ForgeError} from '../ports/forge.ts';
import {type Claim, claimIn, noteText} from './issue-note.ts';

type PlacedClaim = Claim & {readonly id: number; readonly isOwn: boolean};

/**
 * Claims an issue by a comment, unless it is claimed. Returns the claim that counts: that of the comment with
 * the lowest id, among those of people who may write to the repository. So two watchers that claim at once
 * agree, and the other one removes its comment. May be repeated after a crash.
 */
export const claimIssue = async (
	forge: Pick<Forge, 'issueComments' | 'commentOnIssue' | 'removeIssueComment'>,
	number: number,
	own: Claim,
): Promise<Claim> => {
	let claims = await claimsOn(forge, number);
	if (claims.length === 0) {
		await forge.commentOnIssue(number, noteText(own, {}, 'started'));
		claims = await claimsOn(forge, number);
	}
	const [first, ...others] = claims;
	if (first === undefined)
		throw new ForgeError('conflict', `The forge does not show the comment on issue #${number} yet.`);
	for (const claim of others)
		if (claim.isOwn && isSameWatcher(claim, own)) await forge.removeIssueComment(number, claim.id);
	return first;
};

export const isSameWatcher = (one: Claim, other: Claim): boolean =>
	one.colony === other.colony && one.place === other.place;

/** The claims on an issue, the first one first. Comments of other people claim nothing. */
const claimsOn = async (
	forge: Pick<Forge, 'issueComments'>,
	number: number,
): Promise<readonly PlacedClaim[]> => {
	const comments = await forge.issueComments(number);
	return comments
		.toSorted((one, other) => one.id - other.id)
		.flatMap(({id, isOwn, mayWrite, text}) => {
			const claim = isOwn || mayWrite ? claimIn(text) : undefined;
			return claim === undefined ? [] : [{...claim, id, isOwn}];
		});
};

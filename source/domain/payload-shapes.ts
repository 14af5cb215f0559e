import * as z from 'zod/mini';
import {eventTypes} from './event.ts';
import {maxEvidenceLength, verifications} from './evidence.ts';
import {idRule, isTaskId} from './ids.ts';
import {isOfInvites, maxFieldNameLength, maxMatches, maxMatchLength} from './invite.ts';
import {maxOverrideReason} from './landing.ts';
import {
	maxOutsideCommitLength,
	maxOutsideCommits,
	maxOutsideFacts,
	maxOutsideNameLength,
	outsideChanges,
	outsideKinds,
} from './outside.ts';
import {checkStates, maxRequestChecks, maxRequestComments, maxRequestText} from './pull-request.ts';
import {maxActLength, maxToolLength} from './question.ts';
import {
	commentsLength,
	isRepositoryPath,
	maxCommentLength,
	maxComments,
	maxCommentsLength,
	maxLineNumber,
	maxQuoteLength,
	sides,
} from './review-comment.ts';
import {maxTroubleText, maxWarningLength, maxWarnings, usageFields} from './run.ts';
import {expected, text} from './shapes.ts';
import type {Workspace} from './task.ts';
import {maxEventTitleLength, maxTitleLength} from './title.ts';

/** Maximum columns or rows of a terminal. */
const maxExtent = 1000;

export const taskId = text.check(z.refine(isTaskId, {error: `must be ${idRule}`}));
export const filled = text.check(z.refine(value => value.trim() !== '', {error: 'required'}));
/** A time in the log's format. */
export const instant = z.iso.datetime({error: 'must be an ISO 8601 UTC timestamp'});
/** A long text that is kept whole. */
const actText = text.check(z.maxLength(maxActLength, {error: `must be at most ${maxActLength} characters`}));
/** What an agent asks permission for. */
export const act = z.object({
	tool: filled.check(z.maxLength(maxToolLength, {error: `must be at most ${maxToolLength} characters`})),
	command: z.optional(actText),
	path: z.optional(actText),
	diff: z.optional(actText),
	input: z.optional(actText),
});
/** A title for the log. NUL is refused, since terminals and files do not accept it. */
export const title = text.check(
	z.refine(value => !value.includes('\0'), {error: 'must have no NUL character'}),
	z.maxLength(maxEventTitleLength, {error: `must be at most ${maxEventTitleLength} characters`}),
);
const flat = text.check(z.regex(/^[^\n\r]*$/, {error: 'must be one line'}));
export const objectId = text.check(z.regex(/^[0-9a-f]{4,64}$/, {error: 'must be a git object id'}));
const number = z.number({error: expected('a whole number')});
export const amount = number.check(
	z.refine(value => Number.isSafeInteger(value) && value > 0, {error: 'must be a positive whole number'}),
);
/** US dollars. */
export const money = z
	.number({error: expected('a sum of US dollars')})
	.check(
		z.refine(value => Number.isFinite(value) && value > 0, {error: 'must be a positive sum of US dollars'}),
	);
const count = number.check(
	z.refine(value => Number.isSafeInteger(value) && value >= 0, {
		error: 'must be a whole number, not below 0',
	}),
);
/** The usage of a run, as far as the log carries it. */
export const used = z.object({
	...Object.fromEntries(usageFields.map(field => [field, z.optional(count)])),
	costUsd: z.optional(z.number().check(z.minimum(0))),
	isEstimated: z.optional(z.literal(true)),
});
/** Columns or rows of a terminal. */
export const terminalExtent = number.check(
	z.refine(value => Number.isSafeInteger(value) && value >= 1 && value <= maxExtent, {
		error: `must be a whole number from 1 to ${maxExtent}`,
	}),
);
export const textUpTo = (maxLength: number) =>
	filled.check(
		z.refine(value => value.trim().length <= maxLength, {error: `must be at most ${maxLength} characters`}),
	);
/** The title of a trace. */
export const traceTitle = title.check(
	z.refine(value => value.trim() !== '', {error: 'required'}),
	z.refine(value => value.trim().length <= maxTitleLength, {
		error: `must be at most ${maxTitleLength} characters`,
	}),
);
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
	z.enum(values, {error: expected(`one of ${values.join(', ')}`)});

export const proposal = (workspace: Workspace) =>
	z
		.object({
			taskId: z.optional(taskId),
			diff: z.optional(text),
			ref: z.optional(text),
			summary: z.optional(text),
			workspace: z.optional(
				oneOf(['isolated', 'root']).check(
					z.refine(value => value === workspace, {error: `must agree with the kind: ${workspace}`}),
				),
			),
			baseSha: z.optional(objectId),
			worktreePath: z.optional(
				text.check(z.refine(() => workspace === 'isolated', {error: 'a root proposal has no worktree'})),
			),
			sector: z.optional(flat),
			verification: z.optional(oneOf(verifications)),
		})
		.check(
			z.refine(({diff, ref, summary}) => Boolean(diff || ref || summary), {
				error: 'one of diff, ref and summary is required',
				path: ['summary'],
			}),
		);

/** The result of verifying a proposal, beside the end of its run. */
export const evidence = z.object({
	ran: z.boolean(),
	output: text.check(
		z.maxLength(maxEvidenceLength, {error: `must be at most ${maxEvidenceLength} characters`}),
	),
	seconds: z.optional(count),
});

/** An approval that lands without checks. */
export const withoutChecks = z.object({reason: z.optional(textUpTo(maxOverrideReason))});

/** The tool calls of a run that did not succeed. */
export const toolTrouble = z.object({
	failed: count,
	denied: count,
	last: text.check(z.maxLength(maxTroubleText, {error: `must be at most ${maxTroubleText} characters`})),
});

export const note = z.object({summary: filled, taskId: z.optional(taskId), severity: z.optional(text)});
export const verdict = z.object({summary: filled, taskId: z.optional(taskId), proposal: z.optional(amount)});
export const warnings = z
	.array(
		text.check(z.maxLength(maxWarningLength, {error: `must be at most ${maxWarningLength} characters`})),
		{
			error: expected('a list of texts'),
		},
	)
	.check(z.maxLength(maxWarnings, {error: `must be at most ${maxWarnings} texts`}));

const outsideText = text.check(z.maxLength(maxOutsideNameLength));
const outsideFact = z.object({
	what: oneOf(outsideKinds),
	name: outsideText,
	change: oneOf(outsideChanges),
	before: z.optional(outsideText),
	after: z.optional(outsideText),
	kept: z.optional(outsideText),
	commits: z.optional(
		z.array(text.check(z.maxLength(maxOutsideCommitLength))).check(z.maxLength(maxOutsideCommits)),
	),
});

/** Differences outside a run's workspace when it ended. */
export const outside = {
	outside: z.optional(z.array(outsideFact).check(z.maxLength(maxOutsideFacts))),
	outsideMore: z.optional(count),
};

const lineNumber = number.check(
	z.refine(value => Number.isSafeInteger(value) && value >= 1 && value <= maxLineNumber, {
		error: 'must be the number of a line, from 1',
	}),
);
const comment = z
	.object(
		{
			path: text.check(z.refine(isRepositoryPath, {error: 'must be a path inside the repository'})),
			side: oneOf(sides),
			line: lineNumber,
			endLine: z.optional(lineNumber),
			quote: z.optional(
				text.check(z.maxLength(maxQuoteLength, {error: `must be at most ${maxQuoteLength} characters`})),
			),
			text: textUpTo(maxCommentLength),
		},
		{error: expected('an object with path, side, line and text')},
	)
	.check(
		z.refine(({line, endLine = line}) => endLine >= line, {
			error: 'must not be before line',
			path: ['endLine'],
		}),
	);

/** A person's comments on lines of a change that they reject. */
export const comments = z.array(comment, {error: expected('a list of comments')}).check(
	z.maxLength(maxComments, {error: `must be at most ${maxComments} comments`}),
	z.refine(value => commentsLength(value) <= maxCommentsLength, {
		error: `must be at most ${maxCommentsLength} characters together`,
	}),
);
const requestText = text.check(
	z.maxLength(maxRequestText, {error: `must be at most ${maxRequestText} characters`}),
);

/** Results of a forge's checks. */
export const requestChecks = z
	.array(
		z.object({
			name: filled.check(z.maxLength(maxActLength)),
			state: oneOf(checkStates),
			commit: objectId,
			summary: requestText,
			url: requestText,
		}),
		{error: expected('a list of checks')},
	)
	.check(z.maxLength(maxRequestChecks, {error: `must be at most ${maxRequestChecks} checks`}));

/** Comments that were made at a forge. */
export const requestComments = z
	.array(
		z.object({
			id: filled.check(z.maxLength(maxToolLength)),
			author: filled.check(z.maxLength(maxToolLength)),
			isTrusted: z.boolean(),
			at: instant,
			text: requestText,
			url: requestText,
			path: z.optional(
				text.check(z.refine(isRepositoryPath, {error: 'must be a path inside the repository'})),
			),
			line: z.optional(lineNumber),
			side: z.optional(oneOf(sides)),
			quote: z.optional(requestText),
		}),
		{error: expected('a list of comments')},
	)
	.check(z.maxLength(maxRequestComments, {error: `must be at most ${maxRequestComments} comments`}));

/** Names of checks, or ids of comments. */
export const requestNames = (max: number) =>
	z
		.array(filled.check(z.maxLength(maxActLength)), {error: expected('a list of names')})
		.check(z.maxLength(max, {error: `must be at most ${max} names`}));

export const artifact = z.object({ref: filled, artifactKind: z.optional(filled), title: z.optional(title)});

const from = z.strictObject(
	{from: filled.check(z.maxLength(maxFieldNameLength))},
	{error: expected('{from: <field>}')},
);

const match = z
	.record(
		z.string().check(z.maxLength(maxFieldNameLength)),
		z.union([text.check(z.maxLength(maxMatchLength)), z.number(), z.boolean()], {
			error: expected('text, a number, true or false'),
		}),
		{error: expected('fields and their values')},
	)
	.check(
		z.refine(values => Object.keys(values).length <= maxMatches, {
			error: `must be at most ${maxMatches} fields`,
		}),
	);

/** The condition that completes an invite. */
export const doneWhen = z.strictObject(
	{
		when: z.strictObject(
			{
				type: oneOf(eventTypes),
				kind: filled.check(z.refine(kind => !isOfInvites(kind), {error: 'must not be a kind of invites'})),
			},
			{error: expected('{type, kind}')},
		),
		match: z.optional(match),
		requireFile: from,
		setArtifactRef: z.optional(from),
	},
	{error: expected('an object with when and requireFile')},
);

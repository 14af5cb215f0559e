import type {Payload} from '../domain/event.ts';
import {
	maxOutsideCommitLength,
	maxOutsideCommits,
	maxOutsideFacts,
	maxOutsideNameLength,
	type Outside,
	type OutsideFact,
	outsideChanges,
	outsideKinds,
} from '../domain/outside.ts';
import {type ReserveLimit, reserveLimits} from '../domain/reserve-limit.ts';
import {isReviewComment, maxComments, type ReviewComment} from '../domain/review-comment.ts';
import {
	maxTroubleText,
	maxWarningLength,
	maxWarnings,
	type ToolTrouble,
	type Used,
	usageFields,
} from '../domain/run.ts';

/** Events are validated before they are appended, but the fold accepts a payload of any shape. */
export const textOf = (payload: Payload, field: string): string => {
	const value = payload[field];
	return typeof value === 'string' ? value : '';
};

/** The non-empty texts of a list. */
export const textsOf = (payload: Payload, field: string): readonly string[] => {
	const value = payload[field];
	return Array.isArray(value) ? value.filter(item => typeof item === 'string' && item !== '') : [];
};

const isInstant = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}\.\d{3}Z$/;

/** The valid comments of a `human.feedback`. */
export const commentsIn = ({comments}: Payload): readonly ReviewComment[] =>
	Array.isArray(comments) ? comments.filter(isReviewComment).slice(0, maxComments) : [];

/** A time in the log's format, which can be compared as text; `undefined` if the field is not one. */
export const instantOf = (payload: Payload, field: string): string | undefined => {
	const text = textOf(payload, field);
	return isInstant.test(text) ? text : undefined;
};

/** A safe whole number, or `undefined`. */
export const numberOf = (payload: Payload, field: string): number | undefined => {
	const value = payload[field];
	return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
};

/** The warnings of a `run.finished`, cut to the maximum number and length. */
export const warningsIn = ({warnings}: Payload): readonly string[] =>
	Array.isArray(warnings)
		? warnings
				.filter((text): text is string => typeof text === 'string' && text !== '')
				.slice(0, maxWarnings)
				.map(text => text.slice(0, maxWarningLength))
		: [];

/** The tool calls of a `run.finished` that did not succeed; empty if there are none. */
export const toolTroubleIn = ({toolTrouble}: Payload): {readonly toolTrouble?: ToolTrouble} => {
	const given: Payload = {kind: '', ...Object(toolTrouble)};
	const [failed, denied] = [numberOf(given, 'failed') ?? 0, numberOf(given, 'denied') ?? 0];
	if (failed < 0 || denied < 0 || failed + denied === 0) return {};
	return {toolTrouble: {failed, denied, last: textOf(given, 'last').slice(0, maxTroubleText)}};
};

/** The facts of a `run.finished` about changes outside its workspace; invalid ones are left out. */
export const outsideIn = (payload: Payload): Partial<Outside> => {
	const facts = (Array.isArray(payload.outside) ? payload.outside : []).flatMap(factIn);
	const more = numberOf(payload, 'outsideMore') ?? 0;
	return {
		...(facts.length > 0 && {outside: facts.slice(0, maxOutsideFacts)}),
		...(facts.length > 0 && more > 0 && {outsideMore: more}),
	};
};

const factIn = (raw: unknown): OutsideFact[] => {
	const fields: Payload = {kind: '', ...Object(raw)};
	const what = outsideKinds.find(kind => kind === fields.what);
	const change = outsideChanges.find(one => one === fields.change);
	if (what === undefined || change === undefined) return [];
	const texts = (['before', 'after', 'kept'] as const).flatMap(field => {
		const text = textOf(fields, field).slice(0, maxOutsideNameLength);
		return text === '' ? [] : [[field, text] as const];
	});
	const commits = textsOf(fields, 'commits')
		.slice(0, maxOutsideCommits)
		.map(text => text.slice(0, maxOutsideCommitLength));
	return [
		{
			...{what, name: textOf(fields, 'name').slice(0, maxOutsideNameLength), change},
			...Object.fromEntries(texts),
			...(commits.length > 0 && {commits}),
		},
	];
};

/** A positive amount of money or of whole units; 0 if it is not one. */
export const amountIn = (payload: Payload, field: string, unit: 'whole' | 'money'): number => {
	const value = payload[field];
	const counts = unit === 'money' ? Number.isFinite(value) : Number.isSafeInteger(value);
	return typeof value === 'number' && counts && value > 0 ? value : 0;
};

/** The usage that a `run.finished` reports. */
export const usedIn = ({usage}: Payload): Used | undefined => {
	if (typeof usage !== 'object' || usage === null) return undefined;
	const fields: Payload = {kind: '', ...usage};
	const counts = usageFields.map(field => [field, amountIn(fields, field, 'whole')] as const);
	return {...Object.fromEntries(counts), costUsd: amountIn(fields, 'costUsd', 'money')};
};

/** The limit of the trace for which a run was stopped. */
export const limitIn = ({limit}: Payload): ReserveLimit | undefined =>
	reserveLimits.find(known => known === limit);

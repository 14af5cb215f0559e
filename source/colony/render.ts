import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Colony} from './colony.ts';
import type {TemplateValue} from './template/nodes.ts';
import {parseTemplate} from './template/parse.ts';
import {renderTemplate, type TemplateSource} from './template/render.ts';
import {TemplateError} from './template/template-error.ts';

/** Renders a template of the colony, with its partials. Errors become an `invalid_prompt` refusal. */
export const render = (colony: Colony, source: TemplateSource, data: TemplateValue): Outcome<string> =>
	explained(() => renderTemplate(source, partialsOf(colony), data));

/** Parses a template without rendering it, for a template whose data is not known yet. */
export const checkTemplate = ({name, text}: TemplateSource): Outcome<unknown> =>
	explained(() => parseTemplate(name, text));

/** Path of a template, relative to the colony. */
export const promptFile = (path: string): string => `.hive/prompts/${path}`;

const explained = <Value>(attempt: () => Value): Outcome<Value> => {
	try {
		return accepted(attempt());
	} catch (error) {
		if (!(error instanceof TemplateError)) throw error;
		const path = `${error.template}:${error.line}`;
		return refuse('invalid_prompt', {
			message: `${path}: ${error.message}.`,
			...(error.hint && {hint: error.hint}),
			details: [{path, message: error.message, hint: error.hint}],
		});
	}
};

/** Partials by the stem of their file. */
const partialsOf = ({prompts}: Colony): ReadonlyMap<string, TemplateSource> =>
	new Map(
		[...prompts].flatMap(([path, text]) => {
			const stem = /^_partials\/([^/]+)\.md$/.exec(path)?.[1];
			return stem === undefined ? [] : [[stem, {name: promptFile(path), text}] as const];
		}),
	);

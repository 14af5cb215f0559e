/** A template that cannot be read or rendered: which one, at which line (from 1), and what would mend it. */
export class TemplateError extends Error {
	readonly template: string;
	readonly line: number;
	readonly hint: string | undefined;

	constructor(template: string, line: number, message: string, hint?: string) {
		super(message);
		this.name = 'TemplateError';
		this.template = template;
		this.line = line;
		this.hint = hint;
	}
}

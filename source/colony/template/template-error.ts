/** An error in a template: its name, the line (from 1), and a hint. */
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

/** The data of a template: plain values without behaviour. */
export type TemplateValue =
	| string
	| number
	| boolean
	| null
	| readonly TemplateValue[]
	| {readonly [field: string]: TemplateValue};

export type Expression = {readonly line: number} & (
	| {readonly type: 'literal'; readonly value: TemplateValue}
	/** `.A.B` from the current dot, `$.A` from the template's data. */
	| {readonly type: 'field'; readonly from: 'dot' | 'root'; readonly path: readonly string[]}
	| {readonly type: 'call'; readonly name: string; readonly args: readonly Expression[]}
);

export type TemplateNode =
	| {readonly type: 'text'; readonly text: string}
	| {readonly type: 'print'; readonly value: Expression}
	/** `else if` is an `if` inside `otherwise`. */
	| {
			readonly type: 'if' | 'range' | 'with';
			readonly subject: Expression;
			readonly body: readonly TemplateNode[];
			readonly otherwise: readonly TemplateNode[];
	  }
	| {
			readonly type: 'include';
			readonly line: number;
			readonly name: string;
			readonly data: Expression | undefined;
	  };

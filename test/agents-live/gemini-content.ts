import type {Protocol, Told} from './protocol.ts';

type Part = {readonly text?: string; readonly functionResponse?: object};
type Content = {readonly role?: string; readonly parts: readonly Part[]};
type Declared = {readonly functionDeclarations?: readonly {readonly name: string}[]};

const usageMetadata = {
	...{promptTokenCount: 1312, cachedContentTokenCount: 1000},
	...{candidatesTokenCount: 32, thoughtsTokenCount: 8, totalTokenCount: 1352},
};

const chunk = (id: string, parts: readonly object[], rest: object = {}) => ({
	candidates: [{content: {role: 'model', parts}, index: 0, ...rest}],
	...{modelVersion: 'stand-in', responseId: id},
});

const callParts = ({calls}: Told): object[] =>
	calls.map(({name, input}) => ({functionCall: {name, args: input}}));

const last = ({id}: Told, parts: readonly object[]) => ({
	...chunk(id, parts, {finishReason: 'STOP'}),
	usageMetadata,
});

/** Google's generateContent. */
export const geminiContent: Protocol = {
	path: /^\/v1beta\/models\/[^/]+:(?:streamG|g)enerateContent$/,
	wantsStream: (_, path) => path.includes(':streamGenerateContent'),
	read: body => {
		const said = (body.contents as readonly Content[]).at(-1)?.parts ?? [];
		return {
			last: said.map(({text}) => text ?? '').join('\n'),
			isResult: said.some(part => part.functionResponse !== undefined),
			tools: ((body.tools ?? []) as readonly Declared[]).flatMap(({functionDeclarations}) =>
				(functionDeclarations ?? []).map(({name}) => name),
			),
		};
	},
	events: told => ({
		opening: [],
		piece: text => chunk(told.id, [{text}]),
		closing: [last(told, callParts(told))],
	}),
	whole: told => last(told, [{text: told.parts.join('')}, ...callParts(told)]),
};

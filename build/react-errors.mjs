// React's production build names its errors by numbers alone. Those that a component can cause are words
// here, so that a report of an internal error can be read where it was written; the others are React's own
// checks, and keep their number.
import {readFile} from 'node:fs/promises';

const texts = {
	31: 'An object was given where text or a component is drawn',
	130: 'What was given as a component is none',
	150: 'What was given as children can be iterated no more than an object',
	151: 'The iterator of the children is missing',
	185: 'A component changes the state each time it is drawn, so that it is drawn without end',
	191: 'What was given as a callback is no function',
	284: 'What was given as a ref is neither a function nor an object',
	300: 'Fewer hooks were called than when the component was drawn before',
	301: 'A component sets its own state while it is drawn, without end',
	306: 'What was loaded as a component is none',
	308: 'A context was read while nothing is drawn',
	310: 'More hooks were called than when the component was drawn before',
	311: 'A hook of state was called in another order than before',
	321: 'A hook was called outside of a component',
	438: 'What was given to use() is neither a promise nor a context',
	440: 'An event of an effect was called while its component is drawn',
	467: 'A hook was called in another order than when the component was first drawn',
	482: 'A component is asynchronous',
	483: 'A hook was called in an asynchronous component',
	525: 'An element comes from another version of React',
};

const stock = /function formatProdErrorMessage\(code\) \{[\s\S]*?\n {2}\}/;

const readable = `function formatProdErrorMessage(code, ...details) {
	const text = ${JSON.stringify(texts)}[code] ?? "A check inside React failed";
	return text + (details.length === 0 ? "" : ": " + details.join(", ")) + " (React error " + code + ").";
}`;

/** esbuild plugin, for the reconciler that Ink 6.8 uses. */
export const reactErrors = {
	name: 'react-errors',
	setup: builder => {
		builder.onLoad({filter: /[\\/]react-reconciler\.production\.js$/}, async ({path}) => {
			const text = await readFile(path, 'utf8');
			if (!stock.test(text)) throw new Error(`${path} words its errors in another way.`);
			return {contents: text.replace(stock, () => readable)};
		});
	},
};

import type {Grammar} from './core.d.ts';

/** A language, the default export of `highlight.js/lib/languages/<name>`. */
declare const grammar: Grammar;
// biome-ignore lint/style/noDefaultExport: highlight.js has it so.
export default grammar;

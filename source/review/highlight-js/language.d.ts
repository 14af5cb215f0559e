import type {Grammar} from './core.d.ts';

/** A language, as `highlight.js/lib/languages/<name>` has it. */
declare const grammar: Grammar;
// biome-ignore lint/style/noDefaultExport: highlight.js has it so.
export default grammar;

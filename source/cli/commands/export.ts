import path from 'node:path';
import {accepted} from '../../domain/errors.ts';
import {traceNotFound} from '../../domain/not-found.ts';
import {createRedactor} from '../../domain/redact.ts';
import {gatherExport} from '../../host/export/gather-export.ts';
import {command} from '../command.ts';
import {renderExportPage} from '../export-page.ts';
import {text} from '../flags.ts';
import {traceFlag} from '../shared-flags.ts';

export const exportTrace = command({
	path: 'export',
	summary: 'Write all that happened in a trace to one HTML page.',
	description:
		'Overview, tasks, runs with the end of their logs, proposals with their diffs, and every event. The page loads nothing and runs nothing; known secrets are redacted. The same log gives the same page.',
	flags: {
		trace: traceFlag,
		out: text({
			summary: 'File to write; default: hive-export-<slug>-<trace>.html in this folder.',
			hint: '<file>',
			short: 'o',
			complete: 'files',
		}),
	},
	examples: ['export --trace trace-0192f8a4c1b20001 -o trace.html'],
	json: '{v, traceId, file, bytes}',
	run: async ({trace: traceId, out}, commandContext) => {
		const context = await commandContext.open();
		const redact = createRedactor(await commandContext.secrets());
		const exported = await gatherExport({...context, redact}, traceId);
		if (exported === undefined) return traceNotFound(traceId);
		const page = renderExportPage(exported);
		const file = path.resolve(commandContext.cwd, out ?? `hive-export-${exported.slug}-${traceId}.html`);
		await context.files.write(file, page);
		return accepted({json: {traceId, file, bytes: Buffer.byteLength(page)}, text: `Written to ${file}.`});
	},
});

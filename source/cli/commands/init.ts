import {accepted, type Detail} from '../../domain/errors.ts';
import {escapeHidden} from '../../domain/escape-hidden.ts';
import {flows} from '../../domain/flow.ts';
import {formatCount} from '../../domain/format-count.ts';
import type {InitInput, InitReport} from '../../host/host.ts';
import {askLine} from '../ask-line.ts';
import {command} from '../command.ts';
import type {CommandContext} from '../command-context.ts';
import {boolean, choice, decision, text} from '../flags.ts';
import {askBefore, askToCommit, decisionOf, formatTrust} from '../init-trust.ts';

export const init = command({
	path: 'init',
	summary: 'Make this repository a colony.',
	description:
		'Writes .hive/ (configuration, bees, prompts, cues) and a folder of this machine under ~/.config/hive. Looks on PATH for agent tools and writes bees that use them. Safe to repeat: existing files are kept, except that a colony.yaml without an id gets one, and that --agent changes the agent tool of the bees. A new colony names the test command of the project, if a file here does. At a terminal hive asks whether to check every proposal with it, and runs it once first. Otherwise it stays a comment, unless --verify is given. The first run accepts what git runs and reads here (filters, hooks, merge drivers, settings) as yours. hive does not use what is added later. A later "hive init" lists it and asks; without a terminal it refuses unless --accept is given. If the checkout was moved, or cloned again after the old one was removed, its log can be taken over, so that its traces go on. At a terminal hive asks first. If the files of a clone or a copy name a log or an address, hive shows it. hive uses it only if you take it over, or name it yourself.',
	flags: {
		agent: text({
			summary: 'Agent tool of the bees: of a new colony instead of the first one found, or from now on.',
			hint: '<tool>',
		}),
		acp: boolean({
			summary: 'Start the agent through the Agent Client Protocol: claude, codex, gemini, opencode or pi.',
		}),
		verify: boolean({summary: 'Check every proposal of the new colony with the tests of the project.'}),
		dryRun: boolean({summary: 'Print the files that would be written, and write nothing.'}),
		with: choice({
			summary:
				'Add a flow: in ideation, people discuss a request with a bee until there is a spec and a plan.',
			choices: flows,
		}),
		takeOver: decision({
			summary: 'Continue with the log of the checkout that was moved here; --no-take-over starts a new log.',
		}),
		accept: boolean({
			summary: 'Accept, without asking, all that git runs or reads here since the last "hive init".',
		}),
	},
	examples: [
		'init',
		'init --agent claude',
		'init --acp --agent gemini',
		'init --verify',
		'init --dry-run',
		'init --with ideation',
		'init --take-over',
		'init --accept',
	],
	json: '{v, slug, created, kept, differing, retooled: [{path, from, to}…], tests: {command, file, setup, verifies}|null, files: [{path, text}…]|null, agentTools, toolAdvice, agent, asks, takenOver, accepted: [{path, message}…], notes, next}',
	run: async ({agent, acp, with: flow, takeOver: takesOver, accept, verify, dryRun}, commandContext) => {
		const given = {agent, acp, flow, takesOver, dryRun, ...(accept && {accepts: 'all' as const})};
		const wanted = {...given, ...(verify && {verifies: true})};
		const made = await initHere(commandContext, dryRun ? wanted : await askBefore(commandContext, wanted));
		if (!made.ok) return made;
		const report = made.value;
		if (report.files !== undefined)
			return accepted({json: jsonOf(report), text: [formatFiles(report.files)]});
		const isCommitted = await askToCommit(commandContext, report);
		const {
			slug,
			created,
			kept,
			differing,
			retooled,
			agentTools,
			toolAdvice,
			agent: used,
			takenOver = '',
			accepted: taken,
			notes,
			next,
		} = report;
		const tools =
			agentTools.length === 0
				? 'No agent tool found on PATH'
				: `Agent tools on PATH: ${agentTools.join(', ')}`;
		return accepted({
			json: jsonOf(report),
			text: [
				{text: `Colony ${slug}`, style: 'strong'},
				created.length === 0
					? ' exists already; no file was missing.\n'
					: `: ${formatCount(created.length, 'file')} written, ${kept.length} kept.\n`,
				takenOver === '' ? '' : `It continues with its log from ${takenOver}.\n`,
				`${tools}${used === undefined ? '' : `; the bees use ${used}`}.\n`,
				toolAdvice.map(line => `${line}\n`).join(''),
				used === undefined && retooled.length > 0 ? formatRetooled(retooled) : '',
				used !== undefined && agent === undefined && agentTools.length === 0 ? isRewritten(acp) : '',
				used === undefined ? '' : formatTrust(report, isCommitted),
				differing.length === 0
					? ''
					: `Kept your files, which differ from those of the flow: ${differing.join(', ')}\nCompare them with the files of "hive init --with ${flow}" in an empty repository.\n`,
				taken.length === 0 ? '' : `Accepted as yours, what git runs or reads here:\n${linesOf(taken)}`,
				notes.map(note => `${note}\n`).join(''),
				`Next: ${next}`,
			],
		});
	},
});

const jsonOf = (report: InitReport): object => ({
	...report,
	agent: report.agent ?? '',
	takenOver: report.takenOver ?? '',
	tests: report.tests ?? null,
	files: report.files ?? null,
});

const formatFiles = (files: NonNullable<InitReport['files']>): string =>
	files.map(({path, text}) => `# ${path}\n${text}${text.endsWith('\n') ? '' : '\n'}`).join('\n');

const formatRetooled = (retooled: InitReport['retooled']): string =>
	retooled.map(({path, from, to}) => `${path}: adapter ${from} -> ${to}\n`).join('');

/**
 * Makes this checkout a colony. If a person is at the terminal, asks them for decisions that only a person
 * can make.
 */
const initHere = async (
	commandContext: CommandContext,
	input: InitInput,
): ReturnType<CommandContext['init']> => {
	const made = await commandContext.init(input);
	if (made.ok) return made;
	const {code, message, details} = made.refusal;
	if (code === 'checkout_moved' && input.takesOver === undefined) {
		const takesOver = decisionOf(
			await askLine(`${escapeHidden(message)}\nTake it over here? [y/n] `, commandContext.signal),
		);
		return takesOver === undefined ? made : initHere(commandContext, {...input, takesOver});
	}
	if (code === 'programs_new') {
		const answer = await askLine(
			`New since "hive init" was run last:\n${linesOf(details)}Are they yours? [y/n] `,
			commandContext.signal,
		);
		return decisionOf(answer) === true ? initHere(commandContext, {...input, accepts: details}) : made;
	}
	return made;
};

const linesOf = (details: readonly Detail[]): string =>
	details.map(({path, message}) => `  ${joinLines(path)}: ${joinLines(message)}\n`).join('');

const joinLines = (text: string): string => escapeHidden(text).replaceAll('\n', '\\n');

const isRewritten = (acp: boolean): string =>
	`To have the bees run another tool once it is installed: hive init ${acp ? '--acp ' : ''}--agent <tool>\n`;

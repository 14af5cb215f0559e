import {awaitsAcceptance} from '../../domain/awaiting-configuration.ts';
import {renderBytes} from '../../domain/byte-count.ts';
import {exitCodes} from '../../domain/error-table.ts';
import {accepted, type Outcome} from '../../domain/errors.ts';
import {escapeHidden} from '../../domain/escape-hidden.ts';
import {formatCount} from '../../domain/format-count.ts';
import {acceptConfiguration} from '../../host/actions/configuration.ts';
import {type ConfigurationChanges, readConfigurationChanges} from '../../host/configuration-changes.ts';
import type {Diagnosis} from '../../host/host.ts';
import {type Rebuilt, rebuildProjection} from '../../host/log-admin/rebuild-projection.ts';
import {askLine, canAsk} from '../ask-line.ts';
import {command} from '../command.ts';
import type {CommandContext} from '../command-context.ts';
import {describeMachine} from '../describe-machine.ts';
import {boolean, text} from '../flags.ts';
import type {Text} from '../text.ts';
import {wrap} from '../wrap.ts';

export const doctor = command({
	path: 'doctor',
	summary: 'Check the colony and this machine; say what is wrong and how to fix it.',
	description: `
		An error keeps something from working, a warning will surprise you, an advisory is good to know.
		If chat.yaml enables a bot, doctor checks the bot token with the platform, for up to five seconds.
		If colony.yaml names a forge that you accepted, doctor checks your token with it too.
		Changes nothing without --accept or --rebuild. Exits with 5 if there is an error, and with 6 if the message bus cannot be reached, or cannot hold a colony.
		A change below .hive/ that was made during a run or a merge waits until a person accepts it. --accept shows the change, asks at a terminal, and puts it in force. Without a terminal it does not ask. With --seen it accepts only the change that was shown under that name.
		The files below .hive/runs/<trace>/tasks are copies of the log. --rebuild writes those that are missing or differ, for finished traces too.`,
	flags: {
		all: boolean({summary: 'Also show the checks that found no problem.'}),
		accept: boolean({summary: 'Show the changes below .hive/ that wait for you, and put them in force.'}),
		seen: text({
			summary: 'With --accept: only the changes with this name, which is "awaiting.seen" in the JSON.',
			hint: '<name>',
		}),
		rebuild: boolean({summary: 'First write the files of the tasks below .hive/runs again from the log.'}),
	},
	examples: ['doctor', 'doctor --accept', 'doctor --rebuild', 'doctor --json'],
	json: '{v, ok, checks: [{rule, level, says, findings}], findings: [{rule, level, path, message, fix}], toolAdvice, containment: {can, by?, why?, hint?}, bus?: {address, version, log: {stream, events, bytes, last, replicas, consumers, clockSkew}, buckets: [{name, entries, bytes}], otherColonies: [<id>…], places: [{place, host, root, alive, heardAt, version}]}, awaiting?: {seen, changes: [{path, by}…], patch}, accepted: [<path>…], rebuilt: {traces, tasks}}',
	run: async ({all, accept, seen, rebuild}, commandContext) => {
		const acceptResult = accept ? await acceptInteractively(commandContext, seen) : accepted(nothingAccepted);
		if (!acceptResult.ok) return acceptResult;
		const rebuilt = rebuild ? await rebuildProjection(await commandContext.open()) : undefined;
		const examined = await commandContext.diagnose(
			async bot => (await commandContext.loadChat()).tryBot(bot),
			async (...asked) => (await commandContext.loadForge()).tryForge(commandContext.env, ...asked),
		);
		if (!examined.ok) return examined;
		const {checks, findings, toolAdvice, bus, containment} = examined.value;
		const {isWanted: _, ...canContain} = containment;
		const awaits = findings.some(({fix}) => awaitsAcceptance({hint: fix}));
		const awaiting = awaits ? await readConfigurationChanges(await commandContext.open()) : undefined;
		const ok = findings.every(({level}) => level !== 'error');
		const withCounts = checks.map(check => ({
			...check,
			findings: findings.filter(({rule}) => rule === check.rule).length,
		}));
		return accepted({
			json: {
				ok,
				checks: withCounts,
				findings,
				toolAdvice,
				containment: canContain,
				...(bus && {bus: {...bus, places: bus.places.map(machineView)}}),
				...(awaiting && {awaiting}),
				accepted: acceptResult.value.accepted,
				rebuilt: rebuilt ?? {traces: 0, tasks: 0},
			},
			text: () => [
				acceptResult.value.shown,
				...renderDiagnosis(examined.value, {all, rebuilt, columns: commandContext.stdout.columns ?? 80}),
				acceptResult.value.said,
			],
			exit: exitOf(findings),
		});
	},
});

type AcceptResult = {
	readonly accepted: readonly string[];
	/** The changes that were accepted without a question, to be printed first. */
	readonly shown: string;
	/** The result, printed last, since the end of a report stays on the screen. */
	readonly said: string;
};

const nothingAccepted: AcceptResult = {accepted: [], shown: '', said: ''};

/** Accepts exactly what was shown, at the latest in the output of this command. */
const acceptInteractively = async (
	commandContext: CommandContext,
	seen: string | undefined,
): Promise<Outcome<AcceptResult>> => {
	const context = await commandContext.open();
	const shown = await readConfigurationChanges(context);
	const patch = escapeHidden(shown.patch);
	const isNew = seen === undefined && shown.seen !== '' && context.insideRun === undefined;
	const isAsked = isNew && !commandContext.json && canAsk();
	const answer = isAsked
		? await askLine(`${patch}${formatChanges(shown)}Put it in force? [y/n] `, commandContext.signal)
		: 'y';
	if (!/^y(es)?$/i.test(answer?.trim() ?? ''))
		return accepted({...nothingAccepted, said: '\n\nNothing was accepted.'});
	const done = await acceptConfiguration.run(context, {seen: seen ?? shown.seen});
	if (!done.ok) return done;
	const {value, sentences} = done.value;
	return accepted({...value, shown: isAsked ? '' : `${patch}\n`, said: `\n\n${sentences.join('\n')}`});
};

const formatChanges = ({changes}: ConfigurationChanges): string =>
	changes.map(({path, by}) => `${escapeHidden(path)} was changed while ${escapeHidden(by)}.\n`).join('');

const exitOf = (findings: Diagnosis['findings']): number => {
	if (findings.some(({rule}) => rule === 'bus-reached')) return exitCodes.unreachable;
	return findings.some(({level}) => level === 'error') ? exitCodes.invalid : exitCodes.done;
};

const styles = {error: 'bad', warning: 'attention', advisory: 'dim'} as const;
/** Width of `advisory`, and a gap. */
const margin = 10;

const formatRebuilt = ({traces, tasks}: Rebuilt): string =>
	tasks === 0
		? 'The files of every task match the log.'
		: `Wrote the files of ${formatCount(tasks, 'task')} in ${formatCount(traces, 'trace')} again.`;

type RenderOptions = {readonly all: boolean; readonly rebuilt: Rebuilt | undefined; readonly columns: number};

const renderDiagnosis = (
	{checks, findings, toolAdvice, bus, containment}: Diagnosis,
	{all, rebuilt, columns}: RenderOptions,
): Exclude<Text, string> => {
	const quiet = checks.filter(({rule}) => findings.every(finding => finding.rule !== rule));
	const block = (text: string) => wrap(text, columns - margin).join(`\n${' '.repeat(margin)}`);
	return [
		rebuilt === undefined ? '' : `${formatRebuilt(rebuilt)}\n\n`,
		...findings.flatMap(({level, path, message, fix}) => [
			{text: level.padEnd(margin), style: styles[level]} as const,
			`${block(`${path}: ${message}`)}\n${' '.repeat(margin)}`,
			{text: `${block(fix)}\n`, style: 'dim'} as const,
		]),
		...(all ? quiet : []).flatMap(({says}) => [
			{text: 'ok'.padEnd(margin), style: 'good'} as const,
			`${block(says)}\n`,
		]),
		findings.length === 0 && !all ? '' : '\n',
		toolAdvice.length === 0 ? '' : `No agent tool found on PATH.\n${toolAdvice.join('\n')}\n\n`,
		...(all || containment.isWanted ? [`${formatContainment(containment)}\n`] : []),
		...(bus === undefined ? [] : [`${formatBus(bus)}\n`]),
		summaryOf(checks.length, findings),
	];
};

/** The next step is with the bees that need it, if any. */
const formatContainment = (containment: Diagnosis['containment']): string =>
	containment.can
		? `Containment: ${containment.by} works here.`
		: `Containment: none here, since ${containment.why}.`;

type DiagnosedBus = NonNullable<Diagnosis['bus']>;
type DiagnosedMachine = DiagnosedBus['places'][number];

const machineView = ({checkout: place, host, root, isAlive: alive, heardAt, version}: DiagnosedMachine) => ({
	...{place, host, root, alive, heardAt, version},
});

const formatBus = ({address, version, log, buckets, places}: DiagnosedBus): string => {
	const server = `Bus ${address}: nats-server ${version}`;
	if (log === undefined) return `${server}, nothing of this colony yet.`;
	const {stream, events, last, bytes, replicas, consumers} = log;
	return [
		`${server}, clock ${log.clockSkew > 0 ? '+' : ''}${log.clockSkew} ms.`,
		`  ${stream}: ${formatCount(events, 'event')}, the newest ${last}, ${renderBytes(bytes)}, ${formatCount(replicas, 'replica')}, ${formatCount(consumers, 'consumer')}`,
		...buckets.map(
			({name, entries, bytes: size}) => `  ${name}: ${formatCount(entries, 'message')}, ${renderBytes(size)}`,
		),
		...places.map(place => `  ${describeMachine(place)}${place.version ? `, hive ${place.version}` : ''}`),
	].join('\n');
};

const summaryOf = (checks: number, findings: Diagnosis['findings']): string => {
	const counts = (['error', 'warning', 'advisory'] as const).flatMap(level => {
		const count = findings.filter(finding => finding.level === level).length;
		return count === 0 ? [] : [formatCount(count, level, plurals[level])];
	});
	return `${checks} checks: ${counts.length === 0 ? 'nothing to fix' : counts.join(', ')}.`;
};

const plurals = {error: 'errors', warning: 'warnings', advisory: 'advisories'} as const;

import {accepted, refuse} from '../../domain/errors.ts';
import {type ReplayStep, replaySession} from '../../host/sessions/replay-session.ts';
import {command, type OutputLine} from '../command.ts';
import {duration, integer, text} from '../flags.ts';
import {playSteps} from '../play-steps.ts';
import {readPlayerKeys} from '../player-keys.ts';

export const sessionReplay = command({
	path: 'session replay',
	summary: 'Play what the terminal of a session showed, in the time it took.',
	description:
		'Space pauses and resumes, "." plays one step, q quits. Pauses longer than 2 s are shortened. A terminal of the same size as the recorded one shows the session best. "defaults.session_recording" in .hive/colony.yaml limits the recording; of a longer session the end is kept.',
	flags: {
		at: duration({summary: 'Start with the screen at this time of the session.'}),
		speed: integer({summary: 'Play this many times faster.', min: 1, max: 1000}),
	},
	arguments: {
		session: text({summary: 'Session to play.', hint: '<agentId>', required: true, complete: 'runs'}),
	},
	examples: ['session replay 1f0c9a7be2d34c55 --at 12m --speed 4'],
	json: 'one line per event: {v, at, type, data}, type "o" (output) or "r" (size)',
	run: async ({session: agentId, at, speed}, commandContext) => {
		if (!commandContext.json && !commandContext.stdout.isTTY)
			return refuse('not_a_terminal', {
				message: 'Playing a session needs a terminal.',
				hint: 'Use --json for its events; "hive logs" shows what was said.',
			});
		const steps = await replaySession(commandContext, agentId, {from: at ?? 0, speed: speed ?? 1});
		if (!steps.ok) return steps;
		if (commandContext.json) return accepted({lines: eventLines(steps.value)});
		return accepted({
			bytes: playSteps(steps.value, () => readPlayerKeys(process.stdin, commandContext.signal)),
		});
	},
});

async function* eventLines(steps: AsyncIterable<ReplayStep>): AsyncGenerator<OutputLine> {
	for await (const {event} of steps) yield {json: event, text: ''};
}

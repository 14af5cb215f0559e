import type {Cast, CastEvent} from './cast.ts';

/** An event to play, and the pause before it. */
export type ReplayStep = {readonly delayMs: number; readonly event: CastEvent};

type Pace = {
	/** Seconds from the start of the session. Earlier events are played without pauses. */
	readonly from: number;
	/** Playback speed; 2 is twice as fast. */
	readonly speed: number;
};

/** Max pause, in seconds of the session. Longer ones are cut to this. */
const maxPauseSeconds = 2;

/**
 * Yields the events to play. Those before `from` that draw its screen come first, without pauses. Times count
 * from the start of the session.
 */
export async function* replaySteps(casts: readonly Cast[], {from, speed}: Pace): AsyncGenerator<ReplayStep> {
	let last = from;
	for await (const event of eventsFrom(casts, from)) {
		const pause = Math.min(Math.max(event.at - last, 0), maxPauseSeconds);
		last = Math.max(last, event.at);
		yield {delayMs: (pause / speed) * 1000, event};
	}
}

/**
 * Yields the events from the last part that begins at or before `from`, else from the first part. A part
 * begins with events that redraw its screen. They are skipped after the part directly before it.
 */
async function* eventsFrom(casts: readonly Cast[], from: number): AsyncGenerator<CastEvent> {
	const start = Math.max(
		0,
		casts.findLastIndex(({header}) => header.hive.at <= from),
	);
	let previous: number | undefined;
	for (const {number, header, events} of casts.slice(start)) {
		const {at, snapshot} = header.hive;
		const skippedEvents = previous === number - 1 ? snapshot : 0;
		if (skippedEvents === 0) yield {at, type: 'r', data: `${header.width}x${header.height}`};
		let index = 0;
		for await (const event of events()) {
			if (index >= skippedEvents) yield {...event, at: at + event.at};
			index += 1;
		}
		previous = number;
	}
}

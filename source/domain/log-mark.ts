import {HiveError} from './errors.ts';

/** What stands at a log that nobody is to use as it is. */
export type LogMark =
	/** A copy that is not whole yet, and of which log: who began it goes on with it. */
	| {readonly state: 'copying'; readonly from: string}
	/** Closed: the log is elsewhere by now, or about to be. */
	| {
			readonly state: 'moved';
			/** Where to, as people are shown it: `embedded`, or the address of a server. */
			readonly to: string;
			/** The checkout whose file it is, in words, where it is `embedded`. */
			readonly of?: string;
	  };

/** The mark in a text that `JSON.stringify` made of one. */
export const markIn = (text: string): LogMark | undefined => {
	try {
		const mark = JSON.parse(text);
		return mark?.state === 'copying' || mark?.state === 'moved' ? mark : undefined;
	} catch {
		return undefined;
	}
};

/** What a log with a mark is refused as; nothing is refused without one. */
export const markedLog = (location: string, mark: LogMark): HiveError => {
	if (mark.state === 'copying')
		return new HiveError('log_half_copied', {
			message: `The log at ${location} is a copy that is not whole yet, of the log at ${mark.from}.`,
		});
	const isFile = mark.to === 'embedded';
	return new HiveError('log_moved', {
		message: `The log at ${location} was moved: it is ${isFile ? `embedded${mark.of ? ` in the checkout ${mark.of}` : ''}` : `at ${mark.to}`} by now.`,
		hint: isFile
			? 'Where that is this checkout, name no bus any more: remove bus.url from config.yaml, unset HIVE_BUS_URL. "hive bus move" brings the log back to a server.'
			: `Name it: bus.url: nats://${mark.to.replaceAll(', ', ',')} in config.yaml, or HIVE_BUS_URL, with what logs in there. If the move was cut, run the same "hive bus move" again.`,
	});
};

import {HiveError} from './errors.ts';

/** The mark of a log that must not be used as it is. */
export type LogMark =
	/** An incomplete copy, and the log that it is copied from. The process that began it can continue it. */
	| {readonly state: 'copying'; readonly from: string}
	/** A closed log: it has moved to another place, or is about to. */
	| {
			readonly state: 'moved';
			/** The new location, in the form to show to people: `embedded`, or the address of a server. */
			readonly to: string;
			/** For `embedded`: a description of the checkout that has the file. */
			readonly of?: string;
	  };

/** Parses a mark from JSON. */
export const parseLogMark = (text: string): LogMark | undefined => {
	try {
		const mark = JSON.parse(text);
		return mark?.state === 'copying' || mark?.state === 'moved' ? mark : undefined;
	} catch {
		return undefined;
	}
};

/** The error for opening a log that has a mark. */
export const markedLogError = (location: string, mark: LogMark): HiveError => {
	if (mark.state === 'copying')
		return new HiveError('log_half_copied', {
			message: `The log at ${location} is an incomplete copy of the log at ${mark.from}.`,
		});
	const isFile = mark.to === 'embedded';
	return new HiveError('log_moved', {
		message: `"hive bus move" moved the log at ${location}: it is now ${isFile ? `embedded${mark.of ? ` in the checkout ${mark.of}` : ''}` : `at ${mark.to}`}.`,
		hint: isFile
			? 'If that is this checkout, remove bus.url from config.yaml and unset HIVE_BUS_URL. "hive bus move" brings the log back to a server.'
			: `Set bus.url: nats://${mark.to.replaceAll(', ', ',')} in config.yaml, or HIVE_BUS_URL, with the login for it. If the move was interrupted, run the same "hive bus move" again.`,
	});
};

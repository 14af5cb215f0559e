/** Seeds of stories that once broke a promise, with the fault that was found. */
export const failedSeeds: readonly (readonly [number, string])[] = [
	[1, 'a reactor that crashed before it wrote the files of a finished trace never wrote them'],
	[2, 'a run was begun again and again until its supervisor showed'],
	[3, 'a task that failed held up the tasks without dependencies behind it'],
	[8, 'a run that could not be watched for a moment ended the process'],
	[9, 'an answer that came before its run ended was lost'],
	[15, 'a killed trace had direct runs pending for ever'],
	[18, 'direct runs that another checkout had answered were pending here for ever'],
	[40, 'a claim whose answer was lost left its slot free for another'],
	[65, 'a file whose write failed once was never written'],
	[73, 'a receiver was dropped as superseded by an event that the decision had not read'],
	[82, 'a failed write was retried only after the next event'],
	[210, 'a guard was dropped as superseded by an event that the decision had not read'],
	[230, 'a claim whose answer was lost let a second writer in'],
	[248, 'a reactor with nothing to do at its start did not write the files that were due'],
	[388, 'a story was taken to be at rest while its reactor still wrote files'],
	[411, 'a caller that waited for an idle reactor was never notified'],
	[6005969, 'the checkpoint of a process that was behind replaced a newer one that was lost'],
	[6008383, 'a checkpoint was lost between its write and that of the cursor, and an older one passed for it'],
	[9509450, 'the faults of a story prevented its reactor from starting, and did not end'],
];

/** The same for stories of several machines on one log. */
export const failedSharedSeeds: typeof failedSeeds = [
	[63, 'a machine that came back let go of what the one that took its trace had yet to find pending'],
	[
		128,
		'a machine that died before it first wrote its cursor left to the others what it alone had looked at',
	],
	[7104, 'what a machine did that had lost its trace was looked for where the trace is'],
];

/** The same for stories with a landing queue. */
export const failedLandingSeeds: typeof failedSeeds = [
	[1451, 'a check that its reactor had begun before the claim was answered was begun again'],
];

import {Box, render, Text, useInput} from 'ink';
import {sanitizeLine} from '../domain/sanitize.ts';

export type Offer = {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	/** A git root without a colony. */
	readonly root: string;
};

/** Asks whether to create a colony here. Only `y` creates it; any other key changes nothing. */
export const offerInit = ({stdin, stdout, root}: Offer): Promise<boolean> =>
	new Promise(resolve => {
		const answer = (wanted: boolean): void => {
			instance.unmount();
			stdin.pause();
			resolve(wanted);
		};
		const instance = render(<Question root={sanitizeLine(root)} onAnswer={answer} />, {
			stdin,
			stdout,
			exitOnCtrlC: false,
		});
	});

const Question = ({
	root,
	onAnswer,
}: {
	readonly root: string;
	readonly onAnswer: (wanted: boolean) => void;
}) => {
	useInput((input, key) => {
		if (input === 'y' || input === 'Y') onAnswer(true);
		else if (input === 'n' || input === 'N' || input === 'q' || key.escape || key.return || key.ctrl)
			onAnswer(false);
	});
	return (
		<Box flexDirection="column">
			<Text>There is no colony in {root} yet.</Text>
			<Text>hive init writes .hive/ there: settings, first bees and cues. Nothing else is touched.</Text>
			<Text bold>Make one now? y / N</Text>
		</Box>
	);
};

import chalk from 'chalk';
import {type Instance, render} from 'ink';
import {App, type AppProps} from './app.tsx';

type Streams = {readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream};

/** Higher than the frames that are folded: a throttle would hold keys back behind what happens in the background. */
const maxFps = 1000;
/** 256 colours; whether there are any at all is for the theme to say. */
const colorLevel = 2;

/** Ink's own renderer, which writes the rows that changed. */
export const mountApp = (props: AppProps, streams: Streams): Instance => {
	chalk.level = colorLevel;
	return render(<App {...props} />, {
		...streams,
		maxFps,
		incrementalRendering: true,
		exitOnCtrlC: false,
		patchConsole: false,
	});
};

import chalk from 'chalk';
import {type Instance, render} from 'ink';
import {App, type AppProps} from './app.tsx';

type Terminal = {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	/** It shows 24-bit colours. */
	readonly trueColor: boolean;
};

/**
 * Higher than the frames that are folded: a throttle would hold keys back behind what happens in the
 * background.
 */
const maxFps = 1000;
/** Ink's own renderer, which writes the rows that changed. */
export const mountApp = (props: AppProps, {trueColor, ...streams}: Terminal): Instance => {
	// Of 256 colours at least; whether there are any at all is for the theme to say.
	chalk.level = trueColor ? 3 : 2;
	return render(<App {...props} />, {
		...streams,
		maxFps,
		incrementalRendering: true,
		exitOnCtrlC: false,
		patchConsole: false,
	});
};

import chalk from 'chalk';
import {type Instance, render} from 'ink';
import {App, type AppProps} from './app.tsx';

type Terminal = {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	/** True if it shows 24-bit colours. */
	readonly trueColor: boolean;
};

/** Above the frame rate of batched updates: a throttle would delay keys behind changes in the background. */
const maxFps = 1000;
/** Renders with Ink's own renderer, which writes only the changed rows. */
export const mountApp = (props: AppProps, {trueColor, ...streams}: Terminal): Instance => {
	// 256 colours at least. The theme decides if there are colours at all.
	chalk.level = trueColor ? 3 : 2;
	return render(<App {...props} />, {
		...streams,
		maxFps,
		incrementalRendering: true,
		exitOnCtrlC: false,
		patchConsole: false,
	});
};

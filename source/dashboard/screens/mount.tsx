import {render} from 'ink';
import {App, type AppProps} from './app.tsx';

type Streams = {readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream};

/** Lets Ink read the keys and draw each change, whole frames at a time. */
export const mountApp = (props: AppProps, streams: Streams) =>
	render(<App {...props} />, {...streams, debug: true, exitOnCtrlC: false, patchConsole: false});

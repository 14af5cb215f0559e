// Ink as a dashboard needs it that a person has opened at a terminal.

/**
 * esbuild plugin: no development tools, whose package is not there, and every frame drawn, in a terminal that
 * has CI set too.
 */
export const inkOnTerminals = {
	name: 'ink-on-terminals',
	setup: ({onLoad}) => {
		onLoad({filter: /[\\/]ink[\\/]build[\\/]devtools\.js$/}, () => ({contents: ''}));
		onLoad({filter: /[\\/]is-in-ci[\\/]index\.js$/}, () => ({contents: 'export default false;'}));
	},
};

import chalk from 'chalk';
import {renderToString} from 'ink';
import {createElement} from 'react';
import {expect, it} from 'vitest';
import {App} from '../../source/dashboard/app.tsx';
import {createStore} from '../../source/dashboard/store/store.ts';
import {createFixtureWorld} from './fixture-world.ts';
import {type Driver, drive} from './screen-of.ts';
import {screenSvg} from './screen-svg.ts';

const size = {columns: 120, rows: 31};

/** Returns what the dashboard draws, in its colours. */
const frameOf = ({store}: Driver): string => {
	const level = chalk.level;
	chalk.level = 2;
	try {
		const {header} = createFixtureWorld().world;
		const app = {store: createStore(store.getState()), theme: 'dark' as const, header};
		return renderToString(createElement(App, {...app, onInput: () => undefined}), {columns: size.columns});
	} finally {
		chalk.level = level;
	}
};

// "npm run pictures" makes the pictures again.
it.each([
	['traces', () => undefined],
	['review', (driver: Driver) => driver.press('3')],
	[
		'request',
		(driver: Driver) => {
			driver.press('c');
			driver.wait(300);
			driver.paste('Add a dark theme\nwith a switch in the header');
		},
	],
] as const)('the picture of %s in the readme equals what the dashboard draws', async (name, act) => {
	const driver = await drive(size);
	act(driver);
	await driver.settled();
	const picture = await screenSvg(`The dashboard: ${name}`, frameOf(driver), size);
	driver.stop();
	await expect(picture).toMatchFileSnapshot(`../../docs/pictures/${name}.svg`);
});

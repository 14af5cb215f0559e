import {accepted} from '../../domain/errors.ts';
import {writeOut} from '../../domain/written-out.ts';
import {configurationForm, isLong} from '../forms/configuration.ts';
import {outcomeOf} from '../outcome-of.ts';
import {say} from '../store/notice-changes.ts';
import type {HandleContext} from './context.ts';
import {lendTerminal} from './lend-terminal.ts';
import {openForm} from './open-form.ts';

/**
 * Shows the configuration changes that await a person, long ones in their pager first. Then asks to accept
 * them.
 */
export const acceptConfiguration = (context: HandleContext): void => void ask(context);

const ask = async (context: HandleContext): Promise<void> => {
	const {world, store} = context;
	const found = await outcomeOf(world, async () => accepted(await world.configurationChanges()));
	if (!found.ok) return store.dispatch(say(`${found.refusal.message} ${found.refusal.hint}`, 'bad'));
	const changes = found.value;
	if (changes.seen === '') return store.dispatch(say('Nothing below .hive/ waits for you.', 'info'));
	if (isLong(changes)) await lendTerminal(context, () => world.openPager(writeOut(changes.patch)));
	openForm(context, configurationForm(world.now(), changes));
};

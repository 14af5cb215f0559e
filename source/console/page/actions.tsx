import {createContext} from 'preact';
import {useContext, useRef, useState} from 'preact/hooks';
import type {Action, Colony} from '../answers.ts';
import {ActionDialog} from './dialog.tsx';
import {useKey} from './keyboard.ts';
import {keyOf} from './keys.ts';
import {Key, safe} from './safe.tsx';

/** What every screen knows. */
export type Shared = {readonly colony: Colony; readonly actions: ReadonlyMap<string, Action>};

export const SharedContext = createContext<Shared | undefined>(undefined);

export const useShared = (): Shared => {
	const shared = useContext(SharedContext);
	if (shared === undefined) throw new Error('Nothing is shared yet.');
	return shared;
};

/** A button and a key for each action that can be done to something now; none for who may only look. */
export const Actions = ({
	offers,
	names,
	seen,
	initially,
	labelOf = () => undefined,
	about,
	options = [],
	done = () => {},
	keys,
}: {
	offers: readonly string[];
	names: Readonly<Record<string, string | undefined>>;
	/** The tag that an action is done to, by its id. */
	seen?: (id: string) => string | undefined;
	initially?: Readonly<Record<string, unknown>>;
	/** What a button says in place of its usual word. */
	labelOf?: (id: string) => string | undefined;
	/** What the dialogs are about, in place of what their action does. */
	about?: string;
	/** Answers that the first of them can give, each with a button that fills it in. */
	options?: readonly string[];
	/** Called when one of them was done. */
	done?: () => void;
	/**
	 * When its keys work: always, where it is the one thing on the screen that they can mean, or while its row
	 * has the focus.
	 */
	keys: 'always' | 'focused';
}) => {
	const {colony, actions} = useShared();
	const [open, setOpen] = useState<{readonly id: string; readonly option?: string}>();
	const shown = colony.caller.scope === 'act' ? offers.flatMap(id => actions.get(id) ?? []) : [];
	const box = useRef<HTMLDivElement>(null);
	useKey(key => {
		const meant = shown.find(({id}) => keyOf(id) === key);
		const isMeant =
			keys === 'always' || box.current?.closest('li')?.contains(document.activeElement) === true;
		if (!isMeant || meant === undefined) return false;
		setOpen({id: meant.id});
		return true;
	});
	const chosen = open === undefined ? undefined : actions.get(open.id);
	const [answer] = shown;
	const nameOf = (id: string): string => labelOf(id) ?? actions.get(id)?.label ?? id;
	return (
		<div class="actions" ref={box}>
			{(answer === undefined ? [] : options).map(option => (
				<button key={option} type="button" class="act" onClick={() => setOpen({id: offers[0] ?? '', option})}>
					{safe(option)}
				</button>
			))}
			{shown.map(({id, summary, danger}) => (
				<button
					key={id}
					type="button"
					class={danger ? 'away' : id === 'proposal.approve' ? 'act' : ''}
					title={about === undefined ? summary : nameOf(id)}
					aria-keyshortcuts={keyOf(id)}
					onClick={() => setOpen({id})}
				>
					{nameOf(id)}
					<Key of={id} />
				</button>
			))}
			{chosen === undefined ? null : (
				<ActionDialog
					action={chosen}
					label={nameOf(chosen.id)}
					about={about}
					names={names}
					seen={seen?.(chosen.id)}
					initially={open?.option === undefined ? initially : {...initially, feedback: open.option}}
					done={done}
					close={() => setOpen(undefined)}
				/>
			)}
		</div>
	);
};

import {useState} from 'preact/hooks';
import {useShared} from './actions.tsx';
import {pathTo, post} from './api.ts';
import {Dialog} from './dialog.tsx';
import {Diff} from './diff.tsx';
import {Form} from './form.tsx';
import {useKey} from './keyboard.ts';
import {keyOf} from './keys.ts';
import {useOnce} from './live.ts';
import {Key, safe, safePath} from './safe.tsx';

const id = 'configuration.accept';

/**
 * Shows the changes below `.hive/` that await a person's approval. A caller who may act can accept them as
 * shown. `hasKey` is true for only one of them per screen.
 */
export const AcceptConfiguration = ({hasKey = false}: {hasKey?: boolean}) => {
	const [reloads, reload] = useState(0);
	const [isOpen, open] = useState(false);
	const show = (): void => {
		reload(reloads + 1);
		open(true);
	};
	useKey(key => {
		if (!hasKey || key !== keyOf(id)) return false;
		show();
		return true;
	});
	return (
		<>
			<button type="button" onClick={show} {...(hasKey && {'aria-keyshortcuts': keyOf(id)})}>
				Show and accept {hasKey ? <Key of={id} /> : null}
			</button>
			{isOpen ? (
				<Dialog title="Changed below .hive/" close={() => open(false)}>
					<Changes reload={String(reloads)} close={() => open(false)} />
				</Dialog>
			) : null}
		</>
	);
};

const Changes = ({reload, close}: {reload: string; close: () => void}) => {
	const {colony} = useShared();
	const {value, problem} = useOnce(pathTo('/api/configuration/changes'), reload);
	if (problem !== undefined) return <p class="problem">{safe(problem.detail)}</p>;
	if (value === undefined) return null;
	if (value.seen === '') return <p>No change below .hive/ waits for you.</p>;
	return (
		<>
			{value.items.map(({path, by}) => (
				<p key={path}>
					<code>{safePath(path)}</code> was changed while {safe(by)}.
				</p>
			))}
			<Diff files={value.changes} />
			{colony.caller.scope === 'act' ? (
				<Form
					fields={[]}
					button="Accept"
					perform={() => post('/api/configuration/accept', {seen: value.seen})}
					done={close}
				/>
			) : null}
		</>
	);
};

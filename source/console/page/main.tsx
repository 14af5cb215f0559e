import {render} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import type {Action} from '../answers.ts';
import {logIn, type Problem, pathTo, read} from './api.ts';
import {App} from './app.tsx';
import {listenToKeys} from './keyboard.ts';
import {followChanges} from './live.ts';
import {Login, takeCode} from './login.tsx';

type Start = {readonly actions?: ReadonlyMap<string, Action>; readonly problem?: Problem | undefined};

const Page = ({code}: {code: string | undefined}) => {
	const [start, set] = useState<Start>();
	const begin = async (refused?: Problem): Promise<void> => {
		const answer = await read(pathTo('/api/actions'));
		if (!answer.ok)
			return set({problem: refused ?? (answer.problem.status === 401 ? undefined : answer.problem)});
		followChanges();
		set({actions: new Map(answer.value.actions.map(action => [action.id, action]))});
	};
	useEffect(() => {
		const open = async (): Promise<void> => {
			const answer = code === undefined ? undefined : await logIn({code});
			await begin(answer?.ok === false ? answer.problem : undefined);
		};
		void open();
	}, []);
	if (start === undefined) return null;
	if (start.actions === undefined) return <Login problem={start.problem} entered={() => void begin()} />;
	return <App actions={start.actions} />;
};

listenToKeys();
const page = document.getElementById('page');
if (page !== null) render(<Page code={takeCode()} />, page);

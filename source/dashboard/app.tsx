import {Box, type DOMElement, useInput} from 'ink';
import {type ComponentType, memo, type RefObject, useRef, useState} from 'react';
import type {ColonyHeader as Facts} from '../host/live/live.ts';
import {Details} from './components/details.tsx';
import {Dialog} from './components/dialog.tsx';
import {Footer} from './components/footer.tsx';
import {Header} from './components/header.tsx';
import {Help} from './components/help.tsx';
import {Notices} from './components/notices.tsx';
import {Palette} from './components/palette.tsx';
import {SafeText} from './components/safe-text.tsx';
import {Tabs} from './components/tabs.tsx';
import {StoreContext, useSelector, useStore} from './hooks/use-selector.ts';
import {ThemeContext} from './hooks/use-theme.ts';
import {createInputReader, type InputEvent} from './keys/input-event.ts';
import {targetsAt} from './keys/target.ts';
import type {ThemeName} from './parts/theme.ts';
import {ColonyScreen} from './screens/colony-screen.tsx';
import {DetailScreen} from './screens/detail-screen.tsx';
import {EventsScreen} from './screens/events-screen.tsx';
import {LiveScreen} from './screens/live-screen.tsx';
import {ReviewScreen} from './screens/review-screen.tsx';
import {RunsScreen} from './screens/runs-screen.tsx';
import {SessionsScreen} from './screens/sessions-screen.tsx';
import {TracesScreen} from './screens/traces-screen.tsx';
import {isInputGuarded} from './store/form.ts';
import {drawnRows, layoutOf} from './store/layout.ts';
import {createScreenStore} from './store/screen-store.ts';
import type {Tab} from './store/state.ts';
import type {Store} from './store/store.ts';

export type AppProps = {
	readonly store: Store;
	readonly theme: ThemeName;
	readonly header: Facts;
	readonly onInput: (event: InputEvent) => void;
};

/** The dashboard, and the only reader of keys. The owner of the focus handles them. */
export const App = ({store, theme, header, onInput}: AppProps) => {
	const root = useRef<DOMElement>(null);
	const [readInputEvents] = useState(() =>
		createInputReader((column, row) => (root.current ? targetsAt(root.current, column, row) : [])),
	);
	useInput((input, key) => {
		for (const event of readInputEvents(input, key)) onInput(event);
	});
	return (
		<StoreContext value={store}>
			<ThemeContext value={theme}>
				<Dashboard header={header} root={root} />
			</ThemeContext>
		</StoreContext>
	);
};

const screens: Readonly<Record<Tab, ComponentType>> = {
	traces: TracesScreen,
	runs: RunsScreen,
	review: ReviewScreen,
	events: EventsScreen,
	sessions: SessionsScreen,
	colony: ColonyScreen,
};

type DashboardProps = Pick<AppProps, 'header'> & {readonly root: RefObject<DOMElement | null>};

/**
 * Uses all rows of the terminal but the last: at full height Ink would clear the terminal for every frame.
 */
const Dashboard = ({header, root}: DashboardProps) => {
	const size = useSelector(state => state.size);
	const {room} = useSelector(layoutOf);
	if (room === 'none') return <TooSmall columns={size.columns} rows={size.rows} />;
	const isWide = room === 'wide';
	return (
		<Box ref={root} flexDirection="column" width={size.columns} height={drawnRows(size)}>
			<Header facts={header} isWide={isWide} />
			<Tabs isWide={isWide} />
			<Screens />
			<Footer />
			<Notices root={header.root} />
			<ModeBox />
		</Box>
	);
};

/** An opened screen stays mounted, since showing it again is much faster than mounting it. */
const Screens = () => {
	const tab = useSelector(state => state.tab);
	const hasDetail = useSelector(state => state.detail !== undefined && state.live === undefined);
	const isLive = useSelector(state => state.live !== undefined);
	const [opened, setOpened] = useState<readonly Tab[]>([tab]);
	if (!opened.includes(tab)) setOpened([...opened, tab]);
	return (
		<>
			{opened.map(name => (
				<MountedScreen key={name} tab={name} isOpen={name === tab && !hasDetail && !isLive} />
			))}
			{hasDetail ? <DetailScreen /> : null}
			{isLive ? <LiveScreen /> : null}
		</>
	);
};

const MountedScreen = memo(({tab, isOpen}: {readonly tab: Tab; readonly isOpen: boolean}) => {
	const store = useStore();
	const [content] = useState(() => {
		const Screen = screens[tab];
		return (
			<StoreContext value={createScreenStore(store, tab)}>
				<Screen />
			</StoreContext>
		);
	});
	return (
		<Box flexDirection="column" flexGrow={1} display={isOpen ? 'flex' : 'none'}>
			{content}
		</Box>
	);
});

const TooSmall = ({columns, rows}: {readonly columns: number; readonly rows: number}) => (
	<Box flexDirection="column" width={columns} height={drawnRows({columns, rows})}>
		<SafeText tone="strong">{`Need 60x15, have ${columns}x${rows}.`}</SafeText>
		<SafeText>Resize, or use `hive status`.</SafeText>
	</Box>
);

/** The box that is open over the panes. */
const ModeBox = () => {
	const mode = useSelector(state => state.mode);
	const size = useSelector(state => state.size);
	const isGuarded = useSelector(
		state => state.mode.kind === 'form' && isInputGuarded(state.mode.form, state.now),
	);
	switch (mode.kind) {
		case 'form':
			return <Dialog form={mode.form} size={size} isDeaf={isGuarded} />;
		case 'palette':
			return <Palette mode={mode} size={size} />;
		case 'help':
			return <Help mode={mode} size={size} />;
		case 'details':
			return <Details mode={mode} size={size} />;
		default:
			return null;
	}
};

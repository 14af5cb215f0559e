import {Box} from 'ink';
import {memo} from 'react';
import type {ColonyStatus, ColonyHeader as Facts} from '../../host/live/live.ts';
import {localTime} from '../../host/views/local-time.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {widthOf} from '../parts/cells.ts';
import {type Line, type Span, span} from '../parts/line.ts';
import {formatPaused, formatSlots, formatTodayCost} from '../store/header-facts.ts';
import {liveBees} from '../store/selectors.ts';
import {RichText, SafeText} from './safe-text.tsx';

type Props = {readonly facts: Facts; readonly isWide: boolean};

/**
 * The colony, the state of its bus and reactor, the number of agents at work, today's cost, and the time. On
 * a narrow terminal it is shortened, and then the last parts are dropped.
 */
export const Header = memo(({facts, isWide}: Props) => {
	const status = useSelector(state => state.status);
	const bees = useSelector(liveBees);
	const room = useSelector(({size}) => size.columns) - (isWide ? clockWidth.wide : clockWidth.narrow);
	const [paused, cost, slots] = [
		useSelector(formatPaused),
		useSelector(formatTodayCost),
		useSelector(formatSlots),
	];
	const withMore = (line: Line, ...labels: readonly string[]): Line => [
		...line,
		...labels.filter(Boolean).map(label => span(`${isWide ? ' · ' : '  '}${label}`)),
	];
	const until = isWide ? paused : paused.replace(' until', '');
	const withBees = withMore(factsLine(facts, status, isWide, false), formatBees(bees, isWide), until, cost);
	// The used slots say how many agents are at work.
	const withSlots = [isWide, false].map(isLong =>
		withMore(factsLine(facts, status, isWide, isLong), until, cost, slots || formatBees(bees, isWide)),
	);
	const line = withSlots.find(one => widthOfLine(one) <= room) ?? withBees;
	return (
		<Box height={1} flexShrink={0} columnGap={1} justifyContent="space-between">
			<RichText line={takeWhileFitting(line, room)} />
			<Clock isWide={isWide} />
		</Box>
	);
});

const Clock = memo(({isWide}: Pick<Props, 'isWide'>) => {
	const time = useSelector(state => localTime(state.now).slice(0, -3));
	const zone = useSelector(state => new Date(state.now).getTimezoneOffset());
	return (
		<Box flexShrink={0} aria-role="timer">
			<SafeText tone="dim">{isWide && zone === 0 ? `${time} UTC ` : `${time} `}</SafeText>
		</Box>
	);
});

const clockWidth = {wide: ' 14:02 UTC '.length, narrow: ' 14:02 '.length};

const widthOfLine = (line: Line): number => line.reduce((sum, {text}) => sum + widthOf(text), 0);

/** Drops parts from the end until the rest fits. */
const takeWhileFitting = (line: Line, room: number): Line =>
	widthOfLine(line) <= room || line.length === 0 ? line : takeWhileFitting(line.slice(0, -1), room);

const factsLine = (
	{slug, branch, bus}: Facts,
	status: ColonyStatus,
	isWide: boolean,
	isLong: boolean,
): Line => [
	span(' hive ', 'accent'),
	span(isWide ? ` ${slug} · ${branch} · bus ` : ` ${slug}  bus `),
	...busSpans(status, bus, isLong),
	span(isWide ? ' · reactor ' : '  reactor '),
	...reactorSpans(status, isLong),
];

const formatBees = (bees: number, isWide: boolean): string => (isWide ? `bees ${bees} live` : `bees ${bees}`);

const busSpans = (status: ColonyStatus, bus: string, isWide: boolean): Span[] =>
	status.bus.state === 'live'
		? [span('●', 'good'), span(isWide ? ` ${bus}` : '')]
		: [span('✗', 'bad'), span(' down', 'bad')];

const reactorLabels = {
	here: ['●', 'good', ' this process'],
	elsewhere: ['●', 'good', ' another process'],
	starting: ['○', 'accent', ' starting'],
	none: ['○', 'accent', ' none: hive run'],
} as const;

const reactorSpans = ({reactor, places: slots}: ColonyStatus, isWide: boolean): Span[] => {
	const [glyph, tone, label] = reactorLabels[reactor];
	const others = slots.filter(({isAlive}) => isAlive).length;
	return [
		span(glyph, tone),
		span(isWide || reactor === 'none' || reactor === 'starting' ? label : ''),
		...(others === 0 ? [] : [span(isWide ? ` + ${others} elsewhere` : `+${others}`)]),
	];
};

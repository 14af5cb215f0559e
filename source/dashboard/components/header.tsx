import {Box} from 'ink';
import {memo} from 'react';
import type {ColonyStatus, ColonyHeader as Facts} from '../../host/live.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {type Line, type Span, span} from '../parts/line.ts';
import {clockTime} from '../parts/words.ts';
import {liveBees} from '../store/selectors.ts';
import {RichText, SafeText} from './safe-text.tsx';

type Props = {readonly facts: Facts; readonly isWide: boolean};

/** Which colony, whether its bus and reactor live, how many bees work, what time it is. */
export const Header = memo(({facts, isWide}: Props) => {
	const status = useSelector(state => state.status);
	const bees = useSelector(liveBees);
	return (
		<Box height={1} flexShrink={0} columnGap={1} justifyContent="space-between">
			<RichText line={factsLine(facts, status, bees, isWide)} />
			<Clock isWide={isWide} />
		</Box>
	);
});

const Clock = memo(({isWide}: Pick<Props, 'isWide'>) => {
	const time = useSelector(state => clockTime(state.now));
	const zone = useSelector(state => new Date(state.now).getTimezoneOffset());
	return (
		<Box flexShrink={0} aria-role="timer">
			<SafeText tone="dim">
				{isWide ? `${time}${zone === 0 ? ' UTC' : ''} ` : `${time.slice(0, 5)} `}
			</SafeText>
		</Box>
	);
});

const factsLine = ({slug, branch, bus}: Facts, status: ColonyStatus, bees: number, isWide: boolean): Line => [
	span(' hive ', 'accent'),
	span(isWide ? ` ${slug} · ${branch} · bus ` : ` ${slug}  bus `),
	...busSpans(status, bus, isWide),
	span(isWide ? ' · reactor ' : '  reactor '),
	...reactorSpans(status, isWide),
	span(isWide ? ` · bees ${bees} live` : `  bees ${bees}`),
];

const busSpans = (status: ColonyStatus, bus: string, isWide: boolean): Span[] =>
	status.bus.state === 'live'
		? [span('●', 'good'), span(isWide ? ` ${bus}` : '')]
		: [span('✗', 'bad'), span(' down', 'bad')];

const reactorWords = {
	here: ['●', 'good', ' this process'],
	elsewhere: ['●', 'good', ' another process'],
	none: ['○', 'accent', ' none: hive run'],
} as const;

const reactorSpans = ({reactor, places}: ColonyStatus, isWide: boolean): Span[] => {
	const [glyph, tone, words] = reactorWords[reactor];
	const others = places.filter(({isAlive}) => isAlive).length;
	return [
		span(glyph, tone),
		span(isWide || reactor === 'none' ? words : ''),
		...(others === 0 ? [] : [span(isWide ? ` + ${others} elsewhere` : `+${others}`)]),
	];
};

import {counted} from '../../domain/counted.ts';
import {placeName} from '../../domain/place.ts';
import type {Trace} from '../../domain/trace.ts';
import {localMoment} from '../../host/views/local-time.ts';
import type {PlaceView} from '../../host/views/places.ts';
import {memoized} from './memo.ts';

/** The host of the machine that holds a trace. Empty if it is this machine, or none. */
export const machineOf = (places: readonly PlaceView[], {place}: Pick<Trace, 'place'>): string =>
	places.find(({checkout}) => checkout === place)?.host ?? '';

/** Rows of the Colony tab: the other machines, if any, and the configuration. */
export const colonyRows = memoized(
	(colony: readonly string[], places: readonly PlaceView[]): readonly string[] => [
		...placeLines(places),
		...colony,
	],
);

const placeLines = (places: readonly PlaceView[]): readonly string[] =>
	places.length === 0
		? []
		: [
				counted(places.length, 'other place'),
				...places.map(place => `  ${placeName(place)} ${stateWords(place)}`),
				'',
			];

const stateWords = ({isAlive, free, total, hasLeft, heardAt}: PlaceView): string =>
	isAlive
		? `● ${free} of ${total} slots free`
		: `○ ${hasLeft ? 'left' : 'last heard of'} at ${heardAt === undefined ? '-' : localMoment(heardAt)}`;

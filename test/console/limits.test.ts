import {expect, it} from 'vitest';
import {createLimits} from '../../source/console/limits.ts';
import {expectAccepted} from '../../source/domain/errors.ts';

/** Opens streams by caller, and notes the callers whose streams were ended to make room. */
const openStreams = () => {
	const {acquireStream: enterStream} = createLimits();
	const ended: string[] = [];
	const enter = (credential: string, caller = credential) =>
		enterStream({credential, caller}, () => ended.push(caller));
	/** Returns how many of `count` streams were accepted. */
	const enterMany = (count: number, credential: string, caller?: string): number =>
		Array.from({length: count}, () => enter(credential, caller)).filter(({ok}) => ok).length;
	return {enter, enterMany, ended};
};

it('one caller may have a share of the streams, and leaves the rest to other callers', () => {
	const {enter, enterMany} = openStreams();
	expect(enterMany(70, 'phone')).toBe(16);
	expect(enter('phone')).toMatchObject({refusal: {code: 'too_many_requests'}});
	expect(enterMany(70, 'wall')).toBe(16);
});

it('a stream that ends frees its place once', () => {
	const {enter, enterMany} = openStreams();
	enterMany(15, 'phone');
	const leave = expectAccepted(enter('phone'));
	leave();
	leave();
	expect(enterMany(2, 'phone')).toBe(1);
});

it('a token at many addresses does not lock out other credentials', () => {
	const {enterMany, ended} = openStreams();
	for (let address = 0; address < 10; address++) enterMany(16, 'token read', `token read ${address}`);
	expect(ended).toEqual([]);
	expect(enterMany(16, 'token act')).toBe(16);
	expect(enterMany(16, 'phone')).toBe(16);
	// The oldest streams of the crowd were ended, and cannot return.
	expect(ended).toEqual([...Array(16).fill('token read 0'), ...Array(16).fill('token read 1')]);
	expect(enterMany(16, 'token read', 'token read 0')).toBe(0);
	// A full server has room for a credential without a stream.
	for (const other of ['a', 'b', 'c', 'd', 'e']) enterMany(16, other);
	expect(enterMany(1, 'late')).toBe(1);
});

it('requests of one credential leave room for those of others, whatever their address', () => {
	const {acquire: enter} = createLimits();
	const enterMany = (count: number, credential: string) =>
		Array.from({length: count}, (_, at) => enter({credential, caller: `${credential} ${at}`})).filter(
			({ok}) => ok,
		).length;
	expect(enterMany(200, 'token read')).toBe(64);
	expect(enterMany(200, 'token act')).toBe(64);
});

import {type Call, namedIn} from '../call.ts';
import type {Devices} from '../devices.ts';
import type {Reply} from '../reply.ts';

type DeviceRevoker = Pick<Devices, 'revoke'>;

/** Revokes the caller's device, and deletes its cookie. */
export const logOut = (devices: DeviceRevoker, cookieName: string, reply: Reply) => {
	const expiredCookie = `${cookieName}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`;
	return async (call: Call): Promise<Response> => {
		const {device} = call.get('caller');
		if (device !== undefined) await devices.revoke(device);
		return reply.json(call, {}, {'Set-Cookie': expiredCookie});
	};
};

/** Revokes the device named in the path. */
export const revokeDevice =
	(devices: DeviceRevoker, reply: Reply) =>
	async (call: Call): Promise<Response> => {
		const revoked = await devices.revoke(namedIn(call).device ?? '');
		if (!revoked.ok) return reply.problem(call, revoked.refusal);
		const {device, name} = revoked.value;
		return reply.json(call, {device, name, message: `Revoked ${name}.`});
	};

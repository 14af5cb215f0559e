import type {Refusal} from './conversation.ts';

/** The errors of a provider. */
export type Refusals = {
	/** A temporary error that is worth a retry. */
	readonly busy: Refusal;
	readonly unauthorized: Refusal;
	readonly limit: Refusal;
};

/** A time some hours after the recording, in Unix seconds. */
const reset = Math.ceil(Date.now() / 1000) + 2 * 3600;

const anthropicError = (type: string, message: string) => ({
	...{type: 'error', error: {type, message}, request_id: 'req_stand_in'},
});

export const anthropicRefusals: Refusals = {
	busy: {
		...{status: 529, headers: {'retry-after': '1', 'retry-after-ms': '500'}},
		body: anthropicError('overloaded_error', 'Overloaded'),
	},
	unauthorized: {status: 401, body: anthropicError('authentication_error', 'invalid x-api-key')},
	limit: {
		status: 429,
		headers: {
			'anthropic-ratelimit-unified-status': 'rejected',
			'anthropic-ratelimit-unified-reset': `${reset}`,
			'anthropic-ratelimit-unified-representative-claim': 'five_hour',
			'anthropic-ratelimit-unified-overage-status': 'rejected',
		},
		body: anthropicError('rate_limit_error', "This request would exceed your account's rate limit."),
	},
};

export const openaiRefusals: Refusals = {
	busy: {
		status: 503,
		body: {error: {type: 'server_error', message: 'The server had an error while processing your request.'}},
	},
	unauthorized: {
		status: 401,
		body: {
			error: {
				...{type: 'invalid_request_error', code: 'invalid_api_key', param: null},
				message: 'Incorrect API key provided: sk-stand-in.',
			},
		},
	},
	limit: {
		status: 429,
		body: {
			error: {
				...{type: 'usage_limit_reached', message: 'The usage limit has been reached', plan_type: 'plus'},
				...{resets_at: reset, resets_in_seconds: 2 * 3600},
			},
		},
	},
};

const googleError = (code: number, status: string, message: string, details: readonly object[]) => ({
	error: {code, message, status, details},
});

export const googleRefusals: Refusals = {
	busy: {
		status: 503,
		body: googleError(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.', []),
	},
	unauthorized: {
		status: 401,
		body: googleError(401, 'UNAUTHENTICATED', 'API key not valid. Please pass a valid API key.', [
			{
				...{'@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID'},
				...{domain: 'googleapis.com', metadata: {service: 'generativelanguage.googleapis.com'}},
			},
		]),
	},
	limit: {
		status: 429,
		body: googleError(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
			{
				'@type': 'type.googleapis.com/google.rpc.QuotaFailure',
				violations: [
					{
						quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
						quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
						quotaDimensions: {location: 'global', model: 'gemini-2.5-pro'},
						quotaValue: '50',
					},
				],
			},
		]),
	},
};

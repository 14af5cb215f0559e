import {createMiddleware} from 'hono/factory';
import {secureHeaders} from 'hono/secure-headers';

/**
 * Restricts what browsers do with an answer: the page loads only its own files, and no other page embeds or
 * reads them.
 */
export const sendSafeHeaders = secureHeaders({
	overwrite: false,
	contentSecurityPolicy: {
		defaultSrc: ["'none'"],
		scriptSrc: ["'self'"],
		styleSrc: ["'self'"],
		imgSrc: ["'self'", 'data:'],
		connectSrc: ["'self'"],
		manifestSrc: ["'self'"],
		baseUri: ["'none'"],
		formAction: ["'none'"],
		frameAncestors: ["'none'"],
	},
	xFrameOptions: 'DENY',
	permissionsPolicy: {camera: [], microphone: [], geolocation: []},
	// The host may serve other things without TLS, so only its proxy can promise TLS.
	strictTransportSecurity: false,
	// The other headers are for old browsers, or for features that this page does not use.
	originAgentCluster: false,
	xDnsPrefetchControl: false,
	xDownloadOptions: false,
	xPermittedCrossDomainPolicies: false,
	xXssProtection: false,
});

/** Forbids caching of answers, unless a route sets its own rule. */
export const forbidCaching = createMiddleware(async (call, next) => {
	await next();
	if (!call.res.headers.has('Cache-Control')) call.res.headers.set('Cache-Control', 'no-store');
});

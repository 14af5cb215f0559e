import {createMiddleware} from 'hono/factory';
import {secureHeaders} from 'hono/secure-headers';

/**
 * What a browser may do with an answer: the page loads its own files alone, and no other page shows or reads
 * them.
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
	// The rest is for old browsers, or for what this page does not do.
	originAgentCluster: false,
	xDnsPrefetchControl: false,
	xDownloadOptions: false,
	xPermittedCrossDomainPolicies: false,
	xXssProtection: false,
});

/** Keeps answers out of every cache, unless a route says how they may be kept. */
export const forbidCaching = createMiddleware(async (call, next) => {
	await next();
	if (!call.res.headers.has('Cache-Control')) call.res.headers.set('Cache-Control', 'no-store');
});

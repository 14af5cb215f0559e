import type {NewEvent} from '../domain/event.ts';
import {type Redactor, redactFields} from '../domain/redact.ts';
import type {Bus, RedactedBus} from '../ports/bus.ts';
import type {Files} from '../ports/files.ts';
import {createRootFilesReader, type RootFilesReader} from '../workspaces/outside/root-files.ts';
import type {DispatchPorts, GivenPorts} from './ports.ts';

/** `redact` is for texts that are cut before they leave through a port. */
export type RedactingPorts = DispatchPorts & {readonly redact: Redactor; readonly rootFiles: RootFilesReader};

/**
 * The same ports, which redact known secrets in everything that leaves through them: events, blobs, files and
 * reports (docs/reliability.md I12). Files that agents write themselves, such as raw output, stay as they
 * are.
 */
export const redacting = (ports: GivenPorts): RedactingPorts => {
	const {redact} = ports;
	return {
		...ports,
		bus: redactingBus(ports.bus, redact),
		files: redactingFiles(ports.files, redact),
		report: (message, error) => ports.report(redact(message), error),
		rootFiles: createRootFilesReader(ports.git, () => ports.colony().root, ports.clock.now),
	};
};

/** Redacts known secrets in appended events and stored blobs. */
export const redactingBus = (bus: Bus, redact: Redactor): RedactedBus => {
	const redacted = (event: NewEvent): NewEvent => ({
		...event,
		payload: {...redactFields(redact, event.payload), kind: event.payload.kind},
	});
	return {
		...bus,
		redacts: true,
		append: (event, options) => bus.append(redacted(event), options),
		appendAll: (events, after) =>
			bus.appendAll(
				events.map(({id, event}) => ({id, event: redacted(event)})),
				after,
			),
		blobs: {...bus.blobs, put: text => bus.blobs.put(redact(text))},
	};
};

const redactingFiles = (files: Files, redact: Redactor): Files => ({
	...files,
	write: (path, text, options) => files.write(path, redact(text), options),
	append: (path, text) => files.append(path, redact(text)),
	create: (path, text, options) => files.create(path, redact(text), options),
	createFolder: (path, texts, options) =>
		files.createFolder(
			path,
			Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, redact(text)])),
			options,
		),
});

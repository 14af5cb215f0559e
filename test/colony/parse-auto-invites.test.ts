import {expect, test} from 'vitest';
import {parseColonyYaml} from '../../source/colony/parse/colony.ts';
import {readYaml} from '../../source/colony/parse/read-yaml.ts';

const parse = (rules: string) =>
	parseColonyYaml('.hive/colony.yaml', readYaml(`slug: shop\nauto_invites:\n${rules}`));
const problemsOf = (rules: string) =>
	parse(rules).problems.map(({path, message, hint}) => ({path, message, hint}));

const grilling = `
  - when: {type: SIGNAL, kind: feature.classified}
    match: {decision: grill, final: true, round: 1}
    invite:
      bee: {from: bee, default: drone}
      intent: {default: grilling}
      task:
        from_trace_kind: feature.requested
        from_trace_field: body
        prefix: "Grill: "
        fallback_from: rationale
        from: title
        default: Talk it over
      status: pending
      artifactRef: {from: ref}
      done_when:
        when: {type: SIGNAL, kind: spec.ready}
        match: {final: yes}
        require_file: {from: ref}
        set_artifact_ref: {from: ref}
    dedupe: [bee, artifactRef]
`;

test('an invite rule is read with all the fields that it takes from events', () => {
	expect(parse(grilling).value?.autoInvites).toEqual([
		{
			line: 4,
			when: {type: 'SIGNAL', kind: 'feature.classified'},
			match: {decision: 'grill', final: 'true', round: '1'},
			bee: {from: 'bee', default: 'drone'},
			intent: {default: 'grilling'},
			task: {
				recall: {kind: 'feature.requested', field: 'body', prefix: 'Grill: '},
				fallbackFrom: 'rationale',
				from: 'title',
				default: 'Talk it over',
			},
			artifactRef: {from: 'ref'},
			doneWhen: {
				when: {type: 'SIGNAL', kind: 'spec.ready'},
				match: {final: 'yes'},
				requireFile: {from: 'ref'},
				setArtifactRef: {from: 'ref'},
			},
			dedupe: ['bee', 'artifactRef'],
		},
	]);
});

test('plain text in an invite rule is a default', () => {
	const rule = '  - {when: {type: SIGNAL, kind: go}, invite: {bee: drone, task: Talk, intent: general}}\n';
	expect(parse(rule).value?.autoInvites).toMatchObject([
		{bee: {default: 'drone'}, task: {default: 'Talk'}, intent: {default: 'general'}, match: {}, dedupe: []},
	]);
});

test('all problems of invite rules are reported together, with line and closest name', () => {
	const broken = `
  - when: {type: SIGNAL, kind: session.invite}
    invite: {bee: {default: drone}, tsk: {default: x}}
  - wehn: {type: SIGNAL, kind: go}
  - when: {type: SIGNAL}
    match: {decision: [grill]}
    dedupe: [bees]
    invite:
      bee: {default: drone}
      status: accepted
      task: {from_trace_kind: feature.requested}
      done_when: {when: {type: SIGNAL, kind: spec.ready}, set_artifact_ref: {}}
`;
	const at = (line: number) => `.hive/colony.yaml:${line}`;
	expect(problemsOf(broken)).toEqual([
		{
			path: at(4),
			message: 'session.invite is an event about invites, which cannot ask for an invite',
			hint: undefined,
		},
		{path: at(5), message: 'unknown key "tsk"', hint: 'Did you mean "task"?'},
		{path: at(6), message: '"when" is missing', hint: undefined},
		{path: at(6), message: '"invite" is missing', hint: undefined},
		{path: at(6), message: 'unknown key "wehn"', hint: 'Did you mean "when"?'},
		{path: at(7), message: '"kind" is missing', hint: undefined},
		{path: at(8), message: 'expected text, a number, true or false', hint: undefined},
		{path: at(9), message: 'expected one of bee, intent, artifactRef', hint: undefined},
		{path: at(12), message: 'expected one of pending', hint: undefined},
		{path: at(13), message: '"from_trace_kind" and "from_trace_field" go together', hint: undefined},
		{path: at(14), message: '"require_file" is missing', hint: undefined},
		{path: at(14), message: '"from" is missing', hint: undefined},
	]);
});

import type {AgentTool} from '../agent-tools.ts';
import {emitExample} from './emit-example.ts';
import {worksWith} from './works-with.ts';

/**
 * The bees that turn an idea into a plan together with a person. The scout classifies a request. Then a
 * person is invited to talk with the drone, first until there is a spec, then until there is a plan.
 */
export const ideationBees = (tool: AgentTool): Readonly<Record<string, string>> => ({
	'scout.yaml': `# Says what a request needs, and plans what is clear. It reads the repository and changes nothing.
role: scout
${worksWith(tool, {readsOnly: true})}prompt_template: scout.md
worktree: false
timeout: 30m
subscribes:
  - {type: SIGNAL, kind: feature.requested, dispatch: direct}
publishes:
  - {type: SIGNAL, kind: feature.classified}
  - {type: INSIGHT, kind: task.plan}
  - {type: INSIGHT, kind: trace.title}
  - {type: INSIGHT, kind: run.summary}
# The person who asked waits for an answer: a run without one has failed.
completion_contract:
  required:
    - {type: SIGNAL, kind_one_of: [feature.classified]}
`,
	'drone.yaml': `# A person talks with it: about what is wanted, until there is a spec, and about how to do it, until there is a plan.
role: drone
${worksWith(tool, {readsOnly: false})}prompt_template: drone.md
interactive_template: drone.md
worktree: false
intents: [general, grilling, breakdown]
default_intent: general
publishes:
  - {type: SIGNAL, kind: spec.ready}
  - {type: INSIGHT, kind: task.plan}
  - {type: INSIGHT, kind: context.note}
  - {type: INSIGHT, kind: trace.title}
  - {type: INSIGHT, kind: run.summary}
`,
});

/** `auto_invites` of colony.yaml. */
export const ideationInvites = `# Events that invite a person to talk with a bee: "hive invite list".
auto_invites:
  - when: {type: SIGNAL, kind: feature.classified}
    match: {decision: grill}
    invite:
      bee: drone
      intent: grilling
      task: {from_trace_kind: feature.requested, from_trace_field: body, fallback_from: rationale}
      done_when:
        when: {type: SIGNAL, kind: spec.ready}
        require_file: {from: ref}
        set_artifact_ref: {from: ref}
    dedupe: [bee, intent]
  - when: {type: SIGNAL, kind: feature.classified}
    match: {decision: clarify}
    invite:
      bee: drone
      intent: general
      task: {from: rationale, default: The request is not clear.}
      done_when:
        when: {type: INSIGHT, kind: task.plan}
        require_file: {from: ref}
        set_artifact_ref: {from: ref}
    dedupe: [bee, intent]
  - when: {type: SIGNAL, kind: spec.ready}
    invite:
      bee: drone
      intent: breakdown
      task: {from: title, default: The spec is ready to be broken down into tasks.}
      artifactRef: {from: ref}
      done_when:
        when: {type: INSIGHT, kind: task.plan}
        require_file: {from: ref}
    dedupe: [bee, intent, artifactRef]
`;

export const ideationPrompts: Readonly<Record<string, string>> = {
	'scout.md': `You are the scout of this repository: you look at a request and say what it needs before work on it starts.
Read whatever you need in {{.Workspace}}. Change no file.

## The request

{{.Task}}
{{template "context" .}}
## What it needs

Choose one, and say why in a sentence or two that a person understands:

- plan: it is clear what is wanted, and how to tell that it works.
- triage: it reports a fault; what is wanted is that the fault is gone.
- grill: it is an idea, or too large or vague to be done well; a person should be asked about it at length.
- clarify: it is clear but for a question that only a person can answer; the reason is that question.
- reject: it should not be done, because it is there already, is impossible, or would do harm.

{{template "emit-howto" .}}
{{template "emit-feature-classified" .}}
{{template "emit-trace-title" .}}

## Your plan

Only after plan or triage, and then always. Cut the request into the fewest tasks that can each be done, tested and
reviewed alone. One task is fine, and for a fault it is one: reproduce it with a failing test, then mend it.
Write each body for a reader who knows nothing of this request: what to change, where, and how to tell that it works.
Use "dependsOn" only where a task needs the outcome of another.

{{template "emit-task-plan" .}}
{{template "closing" .}}`,

	'drone.md': `You are the drone of this repository: you talk with the person in front of you. You may read everything in
{{.Workspace}}, and you change nothing there. What you write goes to {{.ArtifactsDir}}.

## What the talk is about

{{.Task}}
{{template "context" .}}
{{if eq .Intent "grilling"}}{{template "drone-intent-grilling" .}}
{{- else if eq .Intent "breakdown"}}{{template "drone-intent-breakdown" .}}
{{- else}}{{template "drone-intent-general" .}}
{{- end}}`,
};

export const ideationPartials: Readonly<Record<string, string>> = {
	'emit-feature-classified.md': `Say it once, with your reason:
${emitExample('{"type": "SIGNAL", "payload": {"kind": "feature.classified", "decision": "grill", "rationale": "…"}}')}`,

	'emit-spec-ready.md': `When the person says that the spec is right, and not before, say so once; "ref" is the file in {{.ArtifactsDir}}:
${emitExample('{"type": "SIGNAL", "payload": {"kind": "spec.ready", "ref": "spec.md", "title": "…"}}')}`,

	'emit-agreed-plan.md': `When the person says that the plan is right, and not before, emit it once. "ref" is the file in {{.ArtifactsDir}}
that it was made from:
${emitExample(`{"type": "INSIGHT", "payload": {"kind": "task.plan", "ref": "spec.md", "tasks": [
  {"taskId": "parse-input", "title": "Parse the input file", "body": "…", "dependsOn": []},
  {"taskId": "show-result", "title": "Show the result", "body": "…", "intent": "feature", "dependsOn": ["parse-input"]}
]}}`)}
"taskId" is letters, digits, ".", "_" and "-". "intent" is feature, bugfix, test-fix or refactor, or left out.
Bees begin with it at once.
`,

	'drone-intent-general.md': `
## How to talk

Find out what keeps this from being done, and ask about that, one question at a time. Look into the code before you ask:
what it answers is no question. When all is clear, write what was agreed to notes.md, read it to the person, and offer a plan.

{{template "emit-howto" .}}
{{template "emit-agreed-plan" .}}`,

	'drone-intent-grilling.md': `
## How to talk

Find out what is really wanted. Ask one question at a time, the one that would change most first, and say what you would
choose and why. Look into the code before you ask: what it answers is no question. Ask who needs it and for what, what
happens at the edges and when something fails, what it must not become, and how to tell that it works. Say
so when two answers contradict each other. Stop when a further answer would change nothing.

Then write spec.md: what is wanted and why, what is not, how it behaves, edge cases and errors among it, how to tell that it
works, and what was left open. Read it to the person and mend it until they agree. You plan nothing here.

{{template "emit-howto" .}}
{{template "emit-spec-ready" .}}`,

	'drone-intent-breakdown.md': `
## How to talk

The spec is in {{.ArtifactsDir}}; read it whole, and the code that it is about. Cut it into the fewest tasks that can each be done,
tested and reviewed alone, in the order in which they make sense. Show the person the list: what each task is for, what it
needs, where you are unsure. Mend it until they agree.

Write each body for a reader who sees neither the spec nor this talk: what to change, where, and how to tell that it works.

{{template "emit-howto" .}}
{{template "emit-agreed-plan" .}}`,
};

import {emitExample} from './emit-example.ts';

/**
 * The partials of a fresh colony, by file name below `.hive/prompts/_partials/`. Each bee includes only those
 * for events that it may emit.
 */
export const scaffoldPartials: Readonly<Record<string, string>> = {
	'context.md': `{{if .TraceTitle}}
This is part of: {{.TraceTitle}}
{{end}}{{if .Sector}}
You work in the sector {{.Sector}}: {{.SectorPath}}
{{end}}{{with .Feedback}}
## What a person asked to have changed

{{.}}
{{end}}{{with .Evidence}}
## What verifying the last proposal found

{{.}}
{{end}}{{if .Insights}}
## What was said before
{{range .Insights}}
- {{.}}{{end}}
{{end}}`,

	'closing.md': `
When you are done, end with a short summary: what you did, and what is left. hive keeps your last words.
{{if not .Interactive}}
Decide small things yourself, and say in the summary what you decided. When you need a decision that only a person can
make, ask for it with one event. "options" may be left out:
${emitExample('{"type": "SIGNAL", "payload": {"kind": "human.question", "text": "…", "options": ["first answer", "second answer"]}}')}
Then end your run without guessing. hive shows the question to a person, and runs you again with the answer.
{{end}}`,

	'emit-howto.md': `## Telling hive

You speak to hive with its program, whose path is in \`$HIVE\`: one JSON object per call on standard input of
\`"$HIVE" event emit --stdin\`. It answers with one line of JSON:
\`"ok":true\`, or \`"ok":false\` with every problem and how to fix it. Fix it and emit again; never emit the same
thing twice. The trace and you are known from the environment. Emit nothing but what is described here.

What you start that listens takes \`$HIVE_PORT\` or one of the nine ports after it: they belong to your workspace.
`,

	'emit-task-plan.md': `The plan is one event, and you emit it once:
${emitExample(`{"type": "INSIGHT", "payload": {"kind": "task.plan", "tasks": [
  {"taskId": "parse-input", "title": "Parse the input file", "body": "…", "dependsOn": []},
  {"taskId": "show-result", "title": "Show the result", "body": "…", "intent": "feature", "dependsOn": ["parse-input"]}
]}}`)}
"taskId" is letters, digits, ".", "_" and "-". "intent" is feature, bugfix, test-fix or refactor, or left out.
`,

	'emit-trace-title.md': `Give the whole work a name of at most 120 characters:
${emitExample('{"type": "INSIGHT", "payload": {"kind": "trace.title", "title": "…"}}')}`,

	'emit-context-note.md': `When you learned something that a later task needs, and only then:
${emitExample('{"type": "INSIGHT", "payload": {"kind": "context.note", "summary": "…"}}')}`,

	'emit-trace-summary.md': `This is the last task of the trace. Describe the whole change in at most 800 characters; it becomes the merge message:
${emitExample('{"type": "INSIGHT", "payload": {"kind": "trace.summary", "summary": "…"}}')}`,

	'emit-verification.md': `Give exactly one verdict. When the proposal is good:
${emitExample('{"type": "VERIFICATION", "payload": {"kind": "verification.success", {{if .TaskID}}"taskId": "{{.TaskID}}", {{end}}"summary": "…"}}')}
When it is not, with everything that must change, file and line where you can:
${emitExample('{"type": "VERIFICATION", "payload": {"kind": "verification.failed", {{if .TaskID}}"taskId": "{{.TaskID}}", {{end}}"summary": "…"}}')}`,

	'builder-intent-general.md': `
Do what the task says and no more. Follow the ways of the code around it, and run its tests.`,

	'builder-intent-feature.md': `
Build it in the smallest way that is complete, with tests that fail without it, and follow the ways of the code around it.`,

	'builder-intent-bugfix.md': `
Reproduce the fault with a failing test first, mend its cause rather than its symptom, and change nothing else.`,

	'builder-intent-test-fix.md': `
Find out whether the test or the code is wrong before you touch either. Never weaken a test to make it pass.`,

	'builder-intent-refactor.md': `
Change the shape of the code and not what it does: the tests that pass now must pass unchanged.`,
};

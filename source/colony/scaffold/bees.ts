import type {AgentTool} from '../agent-tools.ts';
import {worksWith} from './works-with.ts';

/**
 * The bees of a fresh colony, by file name. None publishes `task.completed`: as no bee is a commit gate, no
 * proposal waits for one.
 */
export const scaffoldBees = (tool: AgentTool): Readonly<Record<string, string>> => ({
	'scout.yaml': `# Turns a request into a plan. It reads the repository and changes nothing.
role: scout
${worksWith(tool, {readsOnly: true})}prompt_template: scout.md
worktree: false
timeout: 30m
subscribes:
  - {type: SIGNAL, kind: feature.requested, dispatch: direct}
publishes:
  - {type: INSIGHT, kind: task.plan}
  - {type: INSIGHT, kind: trace.title}
  - {type: INSIGHT, kind: run.summary}
# Without a plan there is nothing to work on: such a run has failed.
completion_contract:
  required:
    - {type: INSIGHT, kind_one_of: [task.plan]}
`,
	'builder.yaml': `# Does a task in the worktree of its trace. hive turns what changed into a proposal.
role: builder
${worksWith(tool, {readsOnly: false, asks: true})}prompt_template: builder.md
worktree: true
timeout: 2h
# A run that changed nothing is no success yet: its task waits for a person. "complete" takes it as done.
on_no_change: ask
subscribes:
  - {type: SIGNAL, kind: task.ready, dispatch: task}
  - {type: VERIFICATION, kind: verification.failed, dispatch: direct}
publishes:
  - {type: MUTATION, kind: code.proposal.isolated}
  - {type: INSIGHT, kind: context.note}
  - {type: INSIGHT, kind: trace.summary}
  - {type: INSIGHT, kind: run.summary}
`,
	'guard.yaml': `# Reviews each proposal where it was made. What it refuses goes back to the builder.
role: guard
${worksWith(tool, {readsOnly: true})}prompt_template: guard.md
worktree: true
timeout: 30m
subscribes:
  - {type: MUTATION, kind: code.proposal.isolated, dispatch: direct}
publishes:
  - {type: VERIFICATION, kind: verification.success}
  - {type: VERIFICATION, kind: verification.failed}
  - {type: INSIGHT, kind: review.note}
  - {type: INSIGHT, kind: run.summary}
# A review without a verdict has failed.
completion_contract:
  required:
    - {type: VERIFICATION, kind_one_of: [verification.success, verification.failed]}
`,
});

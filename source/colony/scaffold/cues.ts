/** The cues of a fresh colony, by file name. */
export const scaffoldCues: Readonly<Record<string, string>> = {
	'feature.yaml': `description: Ask for a feature; the scout plans it.
emit: signal
type: SIGNAL
kind: feature.requested
title: "{{.Title}}"
body: "{{.Body}}"
`,
	'hotfix.yaml': `description: Fix one thing now, without a plan.
emit: task
bee: builder
intent: bugfix
review: none
autorun: true
# One unit for the builder, one for the guard, one for a second try.
energy_budget: 3
title: "{{.Title}}"
body: "{{.Text}}"
`,
};

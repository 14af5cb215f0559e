const plan = {
	type: 'INSIGHT',
	payload: {
		kind: 'task.plan',
		tasks: [
			{taskId: 'api', title: 'Add the endpoint', bee: 'builder'},
			{taskId: 'docs', title: 'Document it', bee: 'builder', dependsOn: ['api']},
		],
	},
};

const smaller = {
	...plan,
	payload: {kind: 'task.plan', tasks: [{taskId: 'api', title: 'Test the endpoint', bee: 'builder'}]},
};

/** Plans as above. Once it has words of a person, it plans one other task. */
export const scout = {
	prompt_template: 'plan.md',
	subscribes: [{type: 'SIGNAL', kind: 'feature.requested', dispatch: 'direct'}],
	publishes: [{type: 'INSIGHT', kind: 'task.plan'}],
	script: `note "$(tr '\\n' '|' <"$HIVE_PROMPT_FILE")"
if grep -q "Tests first" "$HIVE_PROMPT_FILE"; then emit '${JSON.stringify(smaller)}'
else emit '${JSON.stringify(plan)}'; fi`,
};

/** The cue and the prompt of the scout. */
export const cue = {
	'.hive/cues/feature.yaml': JSON.stringify({
		...{emit: 'signal', type: 'SIGNAL', kind: 'feature.requested'},
		...{title: '{{.Title}}', body: '{{.Body}}'},
	}),
	'.hive/prompts/plan.md': 'Plan {{.Task}}\n{{.Feedback}}\n',
};

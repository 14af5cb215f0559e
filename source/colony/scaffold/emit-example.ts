/** The shell command with which a bee emits an event, for a prompt. */
export const emitExample = (event: string): string => `
\`\`\`sh
"$HIVE" event emit --stdin <<'JSON'
${event}
JSON
\`\`\`
`;

/** What a bee types to emit an event, for a prompt. */
export const emitExample = (event: string): string => `
\`\`\`sh
"$HIVE" event emit --stdin <<'JSON'
${event}
JSON
\`\`\`
`;

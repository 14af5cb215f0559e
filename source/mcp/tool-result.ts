type ToolResult = {content: [{type: 'text'; text: string}]; isError?: boolean};

export const textResult = (text: string): ToolResult => ({content: [{type: 'text', text}]});

export const errorResult = (text: string): ToolResult => ({...textResult(text), isError: true});

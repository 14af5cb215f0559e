type Said = {content: [{type: 'text'; text: string}]; isError?: boolean};

export const said = (text: string): Said => ({content: [{type: 'text', text}]});

export const failed = (text: string): Said => ({...said(text), isError: true});

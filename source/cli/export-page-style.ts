/** All styles of an exported page, which loads nothing. */
export const pageStyle = `
:root { color-scheme: light dark; --line: #d8dde3; --soft: #f4f6f8; --text: #1c2430; --dim: #5c6875;
  --good: #1a7f4b; --bad: #c0362c; --warn: #9a6200; --info: #2a62b8; --add: #e3f6ea; --del: #fdeae8; }
@media (prefers-color-scheme: dark) { :root { --line: #333c47; --soft: #1b2129; --text: #e2e7ed; --dim: #94a1b0;
  --good: #52c98b; --bad: #f0837a; --warn: #e0a94a; --info: #7fb0ff; --add: #143524; --del: #45201d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 5rem; max-width: 68rem; color: var(--text); background: Canvas;
  font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 .25rem; font-size: 1.75rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2.75rem 0 .75rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); font-size: 1.2rem; }
p { margin: .5rem 0; }
nav a { margin-right: 1rem; }
a { color: var(--info); }
code, pre, .mono { font: .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { margin: .5rem 0; padding: .75rem; max-height: 32rem; overflow: auto; background: var(--soft);
  border-radius: .4rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.diff { white-space: pre; overflow-wrap: normal; }
pre.diff span { display: block; min-width: max-content; }
.added { background: var(--add); } .removed { background: var(--del); } .hunk, .head { color: var(--dim); }
.dim { color: var(--dim); }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th { text-align: left; color: var(--dim); font-weight: 600; }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td.fixed { white-space: nowrap; overflow-wrap: normal; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.25rem; margin: 1rem 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
details { margin: .5rem 0; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .4rem; }
td details { margin: .2rem 0; padding: 0; border: 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.pill { display: inline-block; padding: 0 .5rem; border: 1px solid; border-radius: 1rem; font-size: .8rem; }
.completed { color: var(--good); } .failed, .cancelled, .killed { color: var(--bad); }
.waiting_review, .blocked, .warned { color: var(--warn); } .running, .ready { color: var(--info); } .planned { color: var(--dim); }
meter { width: 10rem; vertical-align: middle; }
@media print { details { break-inside: avoid; } pre { max-height: none; } }
`;

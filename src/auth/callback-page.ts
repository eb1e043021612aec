import { createHash } from 'node:crypto';

const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#59636e;--paper:#f5f6f8;--card:#fff;--line:#d9dee4;--mark:#1a7f4b}
@media (prefers-color-scheme:dark){:root{--ink:#eef1f4;--soft:#9aa6b2;--paper:#12161b;--card:#1a2027;--line:#303842;--mark:#4cc38a}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--paper);color:var(--ink);
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
main{width:100%;max-width:30rem;padding:2.25rem 2rem;background:var(--card);border:1px solid var(--line);border-radius:14px}
.mark{display:grid;place-items:center;width:2.75rem;height:2.75rem;margin-bottom:1.25rem;border-radius:50%;color:#fff;
background:var(--mark);font-size:1.4rem;font-weight:700}
.bad{--mark:#c4352b}
h1{margin:0 0 .5rem;font-size:1.4rem;line-height:1.25}
p{margin:0;color:var(--soft);overflow-wrap:anywhere}
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Headers of every page of the listener: no caching, no external content, and no referrer that could reveal the code. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

export interface PageContent {
  readonly good: boolean;
  readonly title: string;
  readonly text: string;
}

/** Renders a page of the listener. All text is escaped. */
export function renderPage(content: PageContent): string {
  const { good, title, text } = content;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · ucctl</title>
<style>${style}</style>
</head>
<body>
<main${good ? '' : ' class="bad"'}>
<div class="mark" aria-hidden="true">${good ? '✓' : '!'}</div>
<h1>${escape(title)}</h1>
<p>${escape(text)}</p>
</main>
</body>
</html>
`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

import { createHash } from 'node:crypto';
import { style } from './style.ts';

/** HTML text that is safe to insert. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[] | undefined;

/**
 * Template tag. It is not called `html`, because formatters rewrite such templates and the hash of the style depends
 * on the white space. Inserted values are escaped unless they are Html.
 */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const text = strings.reduce((sum, string, index) => sum + string + render(parts[index]), '');
  return new Html(text);
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(render).join('\n');
  return String(part).replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

const styleHash = createHash('sha256').update(style).digest('base64');

/** One page of the sign-in. `formTarget` is the origin or scheme to which its form may be redirected, in addition to this server. */
export function page(status: number, title: string, content: Html, formTarget = '') {
  const document = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>${title}</title>
        <style>${new Html(style)}</style>
      </head>
      <body>
        <main>
          ${content}
          <p class="foot">This is a local sandbox. No real account is involved.</p>
        </main>
      </body>
    </html>`;
  return {
    status,
    text: document.text,
    headers: {
      'content-type': 'text/html;charset=UTF-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': [
        `default-src 'none'`,
        `style-src 'sha256-${styleHash}'`,
        `form-action 'self' ${formTarget}`.trim(),
        `base-uri 'none'`,
        `frame-ancestors 'none'`,
      ].join('; '),
    },
  };
}

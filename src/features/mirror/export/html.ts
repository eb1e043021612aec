import type { ExportMedia, ExportRow } from '../../../store/export-row.ts';

const style = `body{font:.9375rem/1.45 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
article{margin:.7rem 0;padding:.6rem .9rem;border-radius:.8rem;background:#eef1f4;max-width:80%}
article.Outbound{margin-left:auto;background:#d9ecff}article.gone{opacity:.6}
header{font-size:.8rem;color:#555}p{margin:.2rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
img,audio{max-width:100%}a{color:#0b57a4}li{margin:.3rem 0}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181a1c}article{background:#2a2d31}article.Outbound{background:#1d3b57}header{color:#aaa}a{color:#8cc4ff}}`;

/**
 * Returns the start of a page that loads nothing from a network and runs no script. The note becomes an HTML comment.
 */
export function pageStart(title: string, note?: string): string {
  return `<!doctype html>${note === undefined ? '' : ` <!-- ${note} -->`}
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:; media-src 'self' file:">
<title>${escaped(title)}</title><style>${style}</style></head><body><h1>${escaped(title)}</h1>
`;
}

export const pageEnd = '</body></html>\n';

/** HTML of one thread in the index. */
export function indexLine(
  href: string,
  thread: {
    readonly lastTime: string;
    readonly who: string | null;
    readonly messages: number;
    readonly text: string | null;
    /** Number, name or ID of the mailbox. */
    readonly mailbox: string;
  },
): string {
  const text = shortened(thread.text ?? '', 80);
  return `<p><a href="${escaped(href)}">${time(thread.lastTime)} ${isolated(thread.who ?? '')}</a> (${thread.messages}) ${isolated(text)} <small>mailbox ${isolated(thread.mailbox)}</small></p>\n`;
}

/** HTML of one message of a thread. */
export function messageHtml(
  row: ExportRow,
  media: readonly (ExportMedia & { readonly file: string })[],
): string {
  const from = [row.fromName, row.fromNumber ?? row.fromExtension].filter(Boolean).join(' ');
  const to = [row.toNames, row.toNumbers].filter(Boolean).join(' ');
  const gone = row.availability === 'Alive' ? '' : ' gone';
  const note = row.availability === 'Alive' ? '' : ` · ${escaped(row.availability)}`;
  return `<article class="${row.direction === 'Outbound' ? 'Outbound' : 'Inbound'}${gone}"><header>${time(row.creationTime)} · ${escaped(row.type)} · ${isolated(from)} → ${isolated(to)}${note}</header>
<p dir="auto">${escaped(row.text ?? '')}</p>${media.map(mediaHtml).join('')}</article>
`;
}

function mediaHtml({ file, contentType, fileName }: ExportMedia & { readonly file: string }): string {
  const name = escaped(fileName ?? contentType ?? 'attachment');
  if (contentType?.startsWith('audio/')) return `<audio controls preload="none" src="${file}"></audio>`;
  if (contentType !== null && /^image\/(png|jpeg|gif)$/.test(contentType)) {
    return `<img loading="lazy" src="${file}" alt="${name}">`;
  }
  return `<p><a href="${file}">${name}</a></p>`;
}

function time(iso: string): string {
  return `<time datetime="${escaped(iso)}">${escaped(iso.replace('T', ' ').slice(0, 16))} UTC</time>`;
}

/** Returns the beginning of a text, without half of a character. */
export function shortened(text: string, units: number): string {
  return text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '');
}

/** Escapes a text whose direction must not affect the text around it. */
function isolated(text: string): string {
  return `<bdi>${escaped(text)}</bdi>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

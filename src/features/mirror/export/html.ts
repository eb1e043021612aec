import { lookupTable } from '../../../platform/lookup-table.ts';
import type { ExportMedia, ExportRow, ExportThread } from '../../../store/export-row.ts';

const style = `body{font:.9375rem/1.45 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
article{margin:.7rem 0;padding:.6rem .9rem;border-radius:.8rem;background:#eef1f4;max-width:80%}
article.Outbound{margin-left:auto;background:#d9ecff}article.gone{opacity:.6}
header{font-size:.8rem;color:#555}p{margin:.2rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
img,audio{max-width:100%}a{color:#0b57a4}li{margin:.3rem 0}
@media screen and (prefers-color-scheme:dark){body{color:#ddd;background:#181a1c}article{background:#2a2d31}article.Outbound{background:#1d3b57}header{color:#aaa}a{color:#8cc4ff}}`;

/** A part of each page of a thread, which distinguishes it from files of the user. */
export const threadMark = '<meta name="generator" content="ucctl sync export"><title>';
/** A part of the index, which distinguishes it from files of the user. */
export const indexMark = '<title>Messages</title><style>';

/** Returns the start of the index. */
export function indexStart(): string {
  return pageStart('<title>', 'Messages', '<h1>Messages</h1>');
}

/** Returns the start of the page of a thread, which names the other party and the mailbox. */
export function threadStart({ who, mailbox }: Pick<IndexedThread, 'who' | 'mailbox'>): string {
  return pageStart(
    threadMark,
    who,
    `<p><a href="../index.html">All messages</a></p>
<h1>${isolated(who)}</h1>
<p><small>mailbox ${isolated(mailbox)}</small></p>`,
  );
}

/** Returns the start of a page that loads nothing from a network and runs no script. */
function pageStart(mark: string, title: string, head: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:; media-src 'self' file:">
${mark}${escaped(title)}</title><style>${style}</style></head><body>${head}
`;
}

export const pageEnd = '</body></html>\n';

interface IndexedThread extends Pick<ExportThread, 'lastTime' | 'messages' | 'type' | 'text'> {
  /** The other party of the latest message. */
  readonly who: string;
  /** Number, name or ID of the mailbox. */
  readonly mailbox: string;
}

/** HTML of one thread in the index. A text is its own description; other messages are named by their type. */
export function indexLine(href: string, thread: IndexedThread): string {
  const text = shortened(thread.text ?? '', 80);
  const content = [
    ...(thread.type === 'SMS' && text !== '' ? [] : [typeName(thread.type)]),
    ...(text === '' ? [] : [isolated(text)]),
  ];
  return `<p><a href="${escaped(href)}">${time(thread.lastTime)} ${isolated(thread.who)}</a> (${thread.messages}) ${content.join(': ')} <small>mailbox ${isolated(thread.mailbox)}</small></p>\n`;
}

const typeNames: Readonly<Record<string, string>> = lookupTable({
  SMS: 'Text',
  Pager: 'Pager message',
  VoiceMail: 'Voicemail',
});

function typeName(type: string): string {
  return typeNames[type] ?? escaped(type);
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
  return `<article class="${row.direction === 'Outbound' ? 'Outbound' : 'Inbound'}${gone}"><header>${time(row.creationTime)} · ${typeName(row.type)} · ${isolated(from)} → ${isolated(to)}${note}</header>
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

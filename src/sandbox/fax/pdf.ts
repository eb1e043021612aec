/** US Letter in points, and the lines and columns that fit in a 10-point monospaced font. */
const pageLayout = { width: 612, height: 792, margin: 56, leading: 12 } as const;
const linesPerPage = 56;
const columns = 80;

/**
 * Breaks a text into pages of lines. Long lines are wrapped, and a form feed begins a new page. Returns at least one
 * page; text after page `most` is ignored.
 */
export function paginate(text: string, most = Infinity): readonly (readonly string[])[] {
  let page: string[] = [];
  const pages = [page];
  const turn = (): void => {
    page = [];
    pages.push(page);
  };
  const breaks = /\r\n?|[\n\f]/g;
  let start = 0;
  for (;;) {
    const found = breaks.exec(text);
    const line = text.slice(start, found?.index);
    for (let at = 0; at === 0 || at < line.length; at += columns) {
      if (page.length === linesPerPage) turn();
      if (pages.length >= most) return pages;
      page.push(line.slice(at, at + columns));
    }
    if (!found) return pages;
    start = breaks.lastIndex;
    if (found[0] === '\f') turn();
  }
}

/** Writes pages of text as a PDF document. Characters beyond Latin-1 become question marks. */
export function writePdf(pages: readonly (readonly string[])[]): Uint8Array {
  const pageIds = pages.map((_, index) => 4 + index * 2);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((lines, index) => [pageObject((pageIds[index] ?? 0) + 1), contentObject(lines)]),
  ];
  const chunks: string[] = ['%PDF-1.4\n%\u00E2\u00E3\u00CF\u00D3\n'];
  const offsets: number[] = [];
  let length = chunks[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const chunk = `${index + 1} 0 obj\n${object}\nendobj\n`;
    chunks.push(chunk);
    length += chunk.length;
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  chunks.push(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`,
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
  );
  return Buffer.from(chunks.join(''), 'latin1');
}

function pageObject(contentId: number): string {
  const box = `/MediaBox [0 0 ${pageLayout.width} ${pageLayout.height}]`;
  return `<< /Type /Page /Parent 2 0 R ${box} /Resources << /Font << /F1 3 0 R >> >> /Contents ${contentId} 0 R >>`;
}

function contentObject(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${escapeText(line)}) '`).join('\n');
  const top = pageLayout.height - pageLayout.margin;
  const stream = `BT /F1 10 Tf ${pageLayout.leading} TL ${pageLayout.margin} ${top} Td\n${shown}\nET`;
  return `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`;
}

/** Latin-1 has one byte per character, which is required because the offsets count characters. */
function escapeText(line: string): string {
  return line.replaceAll(/[^\x20-\x7E\xA0-\xFF]/gu, '?').replaceAll(/[\\()]/g, String.raw`\$&`);
}

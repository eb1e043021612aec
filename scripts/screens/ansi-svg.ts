import { fit } from '../../src/platform/text-width.ts';
import stringWidth from 'string-width';

/** Attributes that a terminal escape sequence (SGR) sets for the characters after it. */
interface Style {
  readonly color?: string | undefined;
  readonly background?: string | undefined;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

/** Characters of one line with the same style, and the column where they start. */
interface Span {
  readonly column: number;
  readonly width: number;
  readonly text: string;
  readonly style: Style;
}

const foreground = '#d6dee7';
const paper = '#11161d';
const palette = [
  '#5c6773',
  '#ff7b72',
  '#7ee787',
  '#e3b341',
  '#79c0ff',
  '#d2a8ff',
  '#76e3ea',
  '#d6dee7',
  '#8b949e',
  '#ffa198',
  '#a5f0ad',
  '#f2cc60',
  '#a5d6ff',
  '#e2c5ff',
  '#b3f0ff',
  '#ffffff',
] as const;

/** Pixels of one cell; every character is stretched to it, whatever font the reader has. */
const cell = { width: 8.4, height: 18, baseline: 13 } as const;
const margin = { side: 14, top: 40, bottom: 14 } as const;

/** Pixels that the title leaves on both sides, for the dots, and width of its characters, which is above the average. */
const titleSide = 70;
const titleCharacter = 6.6;

/** The start of a title that fits between the dots. */
function shownTitle(title: string, width: number): string {
  return fit(title, Math.max(1, Math.floor((width - 2 * titleSide) / titleCharacter)));
}

/**
 * Draws a captured terminal as an SVG picture.
 *
 * @param lines lines of the screen as `tmux capture-pane -e -p` prints them, with escape sequences for colors
 * @param columns width of the terminal in characters
 * @param title title of the window, also the text for screen readers
 */
export function svgOf(lines: readonly string[], columns: number, title: string): string {
  const width = Math.ceil(columns * cell.width + 2 * margin.side);
  const height = lines.length * cell.height + margin.top + margin.bottom;
  let style: Style = {};
  const rows = lines.map((line, row) => {
    const { spans, after } = spansOf(line, style);
    style = after;
    return spans.map((span) => drawn(span, row)).join('');
  });
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (color, index) => `<circle cx="${margin.side + 6 + index * 18}" cy="20" r="5.5" fill="${color}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${paper}"/>`,
    dots.join(''),
    `<text x="${width / 2}" y="24" text-anchor="middle" font-family="system-ui,sans-serif" font-size="12" fill="#8b949e">${escaped(shownTitle(title, width))}</text>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="${foreground}" xml:space="preserve">`,
    ...rows.filter((row) => row !== ''),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** The texts of a picture made by `svgOf`, in order, to compare the texts of two pictures. */
export function textOf(svg: string): string {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text).join('\n');
}

function spansOf(line: string, before: Style): { readonly spans: readonly Span[]; readonly after: Style } {
  const spans: Span[] = [];
  let style = before;
  let column = 0;
  // oxlint-disable-next-line no-control-regex -- escape sequences begin with this character
  for (const part of line.split(/(\u001B\[[0-9;]*m)/)) {
    // oxlint-disable-next-line no-control-regex -- as above
    const codes = /^\u001B\[([0-9;]*)m$/.exec(part)?.[1];
    if (codes !== undefined) {
      style = styled(style, codes.split(';').map(Number));
      continue;
    }
    // Splits at several spaces, so that each text is drawn at its own column and fonts cannot shift it.
    for (const text of part.split(/( {2,})/)) {
      const width = stringWidth(text);
      if (width > 0 && (text.trim() !== '' || style.inverse || style.background))
        spans.push({ column, width, text, style });
      column += width;
    }
  }
  return { spans, after: style };
}

function drawn({ column, width, text, style }: Span, row: number): string {
  const x = round(margin.side + column * cell.width);
  const y = margin.top + row * cell.height;
  const color = style.inverse ? (style.background ?? paper) : style.color;
  const behind = style.inverse ? (style.color ?? foreground) : style.background;
  const box = behind
    ? `<rect x="${x}" y="${y}" width="${round(width * cell.width)}" height="${cell.height}" fill="${behind}"/>`
    : '';
  // Browsers drop spaces at the start and the end of a text, and would stretch the rest.
  const start = text.length - text.trimStart().length;
  const shown = text.trim();
  const pixels = round((width - (text.length - shown.length)) * cell.width);
  const left = round(margin.side + (column + start) * cell.width);
  const attributes = [
    `x="${left}" y="${y + cell.baseline}" textLength="${pixels}" lengthAdjust="spacingAndGlyphs"`,
    color ? `fill="${color}"` : '',
    style.bold ? 'font-weight="700"' : '',
    style.dim ? 'opacity="0.65"' : '',
    style.italic ? 'font-style="italic"' : '',
    style.underline ? 'text-decoration="underline"' : '',
  ].filter((attribute) => attribute !== '');
  return shown === '' ? box : `${box}<text ${attributes.join(' ')}>${escaped(shown)}</text>`;
}

/** Applies the numbers of one SGR sequence (ECMA-48, 8.3.117). */
function styled(before: Style, codes: readonly number[]): Style {
  let style = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const color = codes[at + 1] === 5 ? indexed(codes[at + 2] ?? 0) : rgb(codes.slice(at + 2, at + 5));
      style = code === 38 ? { ...style, color } : { ...style, background: color };
      at += codes[at + 1] === 5 ? 2 : 4;
    } else {
      style = single(style, code);
    }
  }
  return style;
}

function single(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, color: undefined };
  if (code === 49) return { ...style, background: undefined };
  const attribute = attributes[code];
  if (attribute) return { ...style, ...attribute };
  if (code >= 30 && code <= 37) return { ...style, color: palette[code - 30] };
  if (code >= 90 && code <= 97) return { ...style, color: palette[code - 82] };
  if (code >= 40 && code <= 47) return { ...style, background: palette[code - 40] };
  if (code >= 100 && code <= 107) return { ...style, background: palette[code - 92] };
  return style;
}

const attributes: Readonly<Record<number, Style>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
};

/** A color of the 256-color palette: 16 named colors, a cube of 6 x 6 x 6 colors, 24 grays. */
function indexed(index: number): string {
  if (index < 16) return palette[index] ?? foreground;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return rgb([grey, grey, grey]);
  }
  const cube = index - 16;
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  return rgb([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
}

function rgb(values: readonly number[]): string {
  return `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

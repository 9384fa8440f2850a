import { strToU8, zipSync } from 'fflate';

/** Documents that tests draft from, made here: a PDF of one page, and a Word file. */

export interface PrintedLine {
  readonly text: string;
  /** Height of the letters in points; 11 is text, more is a heading. */
  readonly size?: number;
}

/** A PDF as a word processor prints it: Helvetica, one line under the other, a gap before each heading. */
export function pdfOf(lines: readonly PrintedLine[]): Uint8Array {
  let y = 800;
  const shown = lines.map(({ text, size = 11 }) => {
    y -= size > 11 ? size * 2.5 : size * 2;
    const bytes = Buffer.from(text.replaceAll('€', '\x80'), 'latin1').toString('hex');
    return `BT /F1 ${size} Tf 60 ${y} Td <${bytes}> Tj ET`;
  });
  return pdfFile(shown.join('\n'));
}

/** A PDF file around the content of its one page. */
export function pdfFile(content: string | Uint8Array, filter = ''): Uint8Array {
  const stream = Buffer.from(content);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    Buffer.concat([
      Buffer.from(`<< /Length ${stream.length} ${filter} >>\nstream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let bytes = Buffer.from('%PDF-1.4\n');
  const offsets = objects.map((object, at) => {
    const offset = bytes.length;
    bytes = Buffer.concat([bytes, Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    return offset;
  });
  const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const end = `xref\n0 6\n0000000000 65535 f \n${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${bytes.length}\n%%EOF\n`;
  return Buffer.concat([bytes, Buffer.from(end)]);
}

/** A Word file of headings (`# …`) and paragraphs. */
export function docxOf(paragraphs: readonly string[]): Uint8Array {
  const xml = paragraphs.map(text => {
    const heading = text.startsWith('# ');
    const style = heading ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : '';
    return `<w:p>${style}<w:r><w:t>${text.replace(/^# /, '').replace('&', '&amp;')}</w:t></w:r></w:p>`;
  });
  return zipSync({ 'word/document.xml': strToU8(`<w:document><w:body>${xml.join('')}</w:body></w:document>`) });
}

/**
 * Unicode code points of the windows-1252 bytes 0x80 to 0x9f (WHATWG Encoding, index-windows-1252). Written out,
 * because runtimes disagree about them.
 */
const HIGH_CONTROLS = [
  0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d, 0x017d,
  0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,
  0x017e, 0x0178,
];
const BYTE_OF = new Map(HIGH_CONTROLS.map((codePoint, i) => [codePoint, 0x80 + i]));

/**
 * Undoes what Chrome does to an event stream without charset: UTF-8 bytes that were decoded as windows-1252.
 * @returns the bytes as they were sent; null when the text cannot have come about that way (plain ASCII, characters
 * that windows-1252 does not have, or bytes that are not UTF-8)
 */
export function undoWindows1252(text: string): Buffer | null {
  if (Buffer.byteLength(text) === text.length) return null;
  const bytes = Buffer.allocUnsafe(text.length);
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const isDirect = code < 0x80 || (code >= 0xa0 && code <= 0xff);
    const byte = isDirect ? code : BYTE_OF.get(code);
    if (byte === undefined) return null;
    bytes[i] = byte;
  }
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
  return bytes;
}

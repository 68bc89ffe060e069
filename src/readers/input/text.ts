/** UTF-16 by its byte order mark; null: something else. */
export function utf16Of(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe && !(head[2] === 0 && head[3] === 0)) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return null;
}

/** UTF-16 as UTF-8, the byte order mark dropped. Half pairs become U+FFFD. */
export async function* fromUtf16(
  chunks: AsyncIterable<Uint8Array>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text.length > 0) yield Buffer.from(text);
  }
  const rest = decoder.decode();
  if (rest.length > 0) yield Buffer.from(rest);
}
